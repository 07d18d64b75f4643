import type { Import } from '../../api/records.ts'

export type ImportKind = Import['kind']

interface KindWords {
  title: string
  /** The plural of what a row becomes. */
  many: string
  description: string
  example: string
  /** The fields of a row. The first one is required. */
  fields: readonly { name: string; label: string; others: readonly string[] }[]
  hasProperties: boolean
}

/** The kinds of import. `others` are names that other systems use for the same column. */
export const KINDS: Readonly<Record<ImportKind, KindWords>> = {
  contacts: {
    title: 'Import contacts',
    many: 'contacts',
    description: 'Import contacts from a CSV file. An empty cell leaves its field unchanged.',
    example: 'email,first_name,plan\nann@customer.example,Ann,pro\nbob@customer.example,Bob,free',
    fields: [
      {
        name: 'email',
        label: 'Address',
        others: ['e-mail', 'emailaddress', 'mail', 'address', 'emailadresse'],
      },
      { name: 'first_name', label: 'First name', others: ['firstname', 'givenname', 'vorname'] },
      {
        name: 'last_name',
        label: 'Last name',
        others: ['lastname', 'surname', 'familyname', 'nachname'],
      },
      { name: 'user_id', label: 'User ID', others: ['userid', 'externalid', 'customerid'] },
      { name: 'time_zone', label: 'Time zone', others: ['timezone', 'tz', 'zeitzone'] },
      {
        name: 'unsubscribed',
        label: 'Unsubscribed (true or false)',
        others: ['optout', 'optedout', 'unsubscribe', 'abgemeldet', 'desabonne'],
      },
    ],
    hasProperties: true,
  },
  suppressions: {
    title: 'Import suppressions',
    many: 'suppressions',
    description:
      'Import addresses from a CSV file. Sendwright sends them no more email. Existing suppressions are unchanged.',
    example: 'email,reason\ngone@customer.example,bounce\nangry@customer.example,complaint',
    fields: [
      {
        name: 'email',
        label: 'Address',
        others: ['e-mail', 'emailaddress', 'mail', 'address', 'recipient'],
      },
      { name: 'reason', label: 'Reason (manual, bounce, complaint)', others: ['type', 'origin', 'cause'] },
    ],
    hasProperties: false,
  },
}

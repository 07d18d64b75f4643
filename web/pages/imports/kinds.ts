import type { Import } from '../../api/records.ts'

export type ImportKind = Import['kind']

interface KindWords {
  title: string
  /** What the rows become. */
  many: string
  description: string
  example: string
  /** Fields that every row may have; the first is required. */
  fields: readonly { name: string; label: string; others: readonly string[] }[]
  hasProperties: boolean
}

/** What can be imported. `others`: what such a column is called elsewhere. */
export const KINDS: Readonly<Record<ImportKind, KindWords>> = {
  contacts: {
    title: 'Import contacts',
    many: 'contacts',
    description:
      'From a CSV file. Who is there already is updated by what the file says; an empty cell leaves its field as it is.',
    example: 'email,first_name,plan\nann@customer.example,Ann,pro\nbob@customer.example,Bob,free',
    fields: [
      {
        name: 'email',
        label: 'Address',
        others: ['e-mail', 'emailaddress', 'mail', 'address', 'emailadresse'],
      },
      { name: 'first_name', label: 'First name', others: ['firstname', 'givenname', 'vorname'] },
      { name: 'last_name', label: 'Last name', others: ['lastname', 'surname', 'familyname', 'nachname'] },
      { name: 'user_id', label: 'User id', others: ['userid', 'externalid', 'customerid'] },
      { name: 'unsubscribed', label: 'Unsubscribed (true or false)', others: ['optout', 'optedout'] },
    ],
    hasProperties: true,
  },
  suppressions: {
    title: 'Import suppressions',
    many: 'suppressions',
    description: 'From a CSV file. These addresses get no email from then on; who is suppressed stays so.',
    example: 'email,reason\ngone@customer.example,bounce\nangry@customer.example,complaint',
    fields: [
      { name: 'email', label: 'Address', others: ['e-mail', 'emailaddress', 'mail', 'address', 'recipient'] },
      { name: 'reason', label: 'Reason (manual, bounce, complaint)', others: ['type', 'origin', 'cause'] },
    ],
    hasProperties: false,
  },
}

import type { Import } from '../../api/records.ts'
import { texts } from './texts.ts'

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
    title: texts.kinds.importContacts,
    many: texts.kinds.contacts,
    description: texts.kinds.importContactsFromCsv,
    example: 'email,first_name,plan\nann@customer.example,Ann,pro\nbob@customer.example,Bob,free',
    fields: [
      {
        name: 'email',
        label: texts.kinds.address,
        others: ['e-mail', 'emailaddress', 'mail', 'address', 'emailadresse'],
      },
      { name: 'first_name', label: texts.kinds.firstName, others: ['firstname', 'givenname', 'vorname'] },
      {
        name: 'last_name',
        label: texts.kinds.lastName,
        others: ['lastname', 'surname', 'familyname', 'nachname'],
      },
      { name: 'user_id', label: texts.kinds.userId, others: ['userid', 'externalid', 'customerid'] },
      { name: 'time_zone', label: texts.kinds.timeZone, others: ['timezone', 'tz', 'zeitzone'] },
      {
        name: 'unsubscribed',
        label: texts.kinds.unsubscribedTrueOrFalse,
        others: ['optout', 'optedout', 'unsubscribe', 'abgemeldet', 'desabonne'],
      },
    ],
    hasProperties: true,
  },
  suppressions: {
    title: texts.kinds.importSuppressions,
    many: texts.kinds.suppressions,
    description: texts.kinds.importAddressesFromCsv,
    example: 'email,reason\ngone@customer.example,bounce\nangry@customer.example,complaint',
    fields: [
      {
        name: 'email',
        label: texts.kinds.address,
        others: ['e-mail', 'emailaddress', 'mail', 'address', 'recipient'],
      },
      { name: 'reason', label: texts.kinds.reasonManualBounceComplaint, others: ['type', 'origin', 'cause'] },
    ],
    hasProperties: false,
  },
}

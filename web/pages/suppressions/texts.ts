import { plural } from '../../ui/plural.ts'

/** The texts of the suppressions pages. */
export const texts = {
  addForm: {
    suppressAddresses: 'Suppress addresses',
    addressesSuppressed: (count: number) =>
      plural(count, 'Address suppressed.', `${count} addresses suppressed.`),
    addresses: 'Addresses',
    onePerLineSeparated: (countMax: string) => `One per line, or separated by commas. At most ${countMax}.`,
    addressesCount: (count: number) => plural(count, '1 address', `${count.toLocaleString()} addresses`),
    cancel: 'Cancel',
  },
  page: {
    manual: 'Manual',
    bounced: 'Bounced',
    complained: 'Complained',
    suppressions: 'Suppressions',
    sendwrightSendsNoEmail:
      'Sendwright sends no email of this team to these addresses. Hard bounces and complaints are added automatically.',
    noMatchingAddresses: 'No matching addresses',
    noSuppressionsYet: 'No suppressions yet',
    clearFilterSeeMore: 'Clear a filter to see more.',
    addressesBounceReportSpam:
      'Addresses that bounce or report spam are added automatically, because sending to them again would harm your reputation.',
    address: 'Address',
    reason: 'Reason',
    source: 'Source',
    since: 'Since',
    theEmail: 'The email',
    export: 'Export',
    import: 'Import',
    addAddresses: 'Add addresses',
    addressesThatBeginWith: 'Addresses that begin with',
    anyReason: 'Any reason',
    suppressionsRemoved: (count: number) =>
      plural(count, 'Suppression removed.', `${count} suppressions removed.`),
    removeCount: (count: number) => `Remove ${count}`,
  },
} as const

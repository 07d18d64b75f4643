import Type from 'typebox'
import { attachCsv, CSV } from '../../http/route/csv.ts'
import type { ResourceDeps } from '../../http/route/resource.ts'
import { type Route, routesOf } from '../../http/route/route.ts'
import type { HashAddress } from '../../lib/crypto/erased-address.ts'
import { readFilter, SuppressionFilters } from '../../suppressions/suppression-filters.ts'
import { ContactFilters, readFilters } from '../contacts/contact-filters.ts'
import { exportContacts, exportSuppressions } from './export.ts'

interface Deps extends Pick<ResourceDeps, 'lists' | 'clock'> {
  hashAddress: HashAddress
}

const { route } = routesOf<Deps>()

const common = { permission: 'full' } as const
const DESCRIPTION =
  'Streams a file that you can import again. Text that a spreadsheet might run as a formula gets an apostrophe in front.'

const getContactExport = route('GET', '/contacts/export', {
  ...common,
  area: 'contacts',
  operationId: 'exportContacts',
  summary: 'Export contacts as a CSV file',
  description: `${DESCRIPTION} Accepts the filters of \`GET /contacts\`. Newest first, with one column for each property.`,
  query: Type.Object(ContactFilters),
  responses: {
    200: {
      description: 'The CSV file.',
      type: 'text/csv',
      schema: CSV,
      example:
        'email,first_name,last_name,user_id,time_zone,unsubscribed,plan,created_at\r\nann@customer.example,Ann,Smith,user-42,Europe/Berlin,false,pro,2026-01-15T09:30:00.000Z\r\n',
    },
  },
  async handle({ caller, query, deps: { lists, clock } }) {
    const filters = await readFilters(lists, caller.teamId, query, clock.now())
    // A list or segment that the account does not have matches no contact.
    const conditions = filters?.conditions ?? [{ sql: () => 'false' }]
    return attachCsv(exportContacts(lists, caller.teamId, conditions), 'contacts', clock.now())
  },
})

const getSuppressionExport = route('GET', '/suppressions/export', {
  ...common,
  area: 'suppressions',
  operationId: 'exportSuppressions',
  summary: 'Export suppressions as a CSV file',
  description:
    'Works as `GET /contacts/export`, with the filters of `GET /suppressions`. Newest first; with `q`, in order of address.',
  query: Type.Object(SuppressionFilters),
  responses: {
    200: {
      description: 'The CSV file.',
      type: 'text/csv',
      schema: CSV,
      example:
        'email,reason,source_email_id,created_at\r\nann@customer.example,manual,,2026-01-15T09:30:00.000Z\r\n',
    },
  },
  async handle({ caller, query, deps: { lists, clock, hashAddress } }) {
    const filter = readFilter(query, hashAddress, caller.teamId)
    const chunks = exportSuppressions(lists, caller.teamId, filter)
    return attachCsv(chunks, 'suppressions', clock.now())
  },
})

export const exportRoutes: readonly Route<Deps>[] = [getContactExport, getSuppressionExport]

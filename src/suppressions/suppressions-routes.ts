import Type from 'typebox'
import { runAgainOnDeadlock } from '../db/transactions.ts'
import { listOf, PAGE_PARAMETERS, pageReply, readPage } from '../http/route/page.ts'
import { Resource, type ResourceDeps } from '../http/route/resource.ts'
import { type Route, routesOf } from '../http/route/route.ts'
import { invalidField } from '../lib/api-error.ts'
import type { HashAddress } from '../lib/crypto/erased-address.ts'
import { countSuppressions, listSuppressions } from './list-suppressions-queries.ts'
import { readFilter, SuppressionFilters } from './suppression-filters.ts'
import {
  SuppressionBatch,
  SuppressionBatchRemoval,
  SuppressionChange,
  SuppressionEntry,
  SuppressionInput,
  SuppressionsAdded,
  SuppressionsRemoved,
  suppressionToJson,
} from './suppression-schemas.ts'
import {
  changeReason,
  lookUpSuppression,
  suppress,
  suppressMany,
  unsuppress,
  unsuppressMany,
} from './suppressions.ts'
import type { Suppression } from './suppressions-queries.ts'

interface Deps extends ResourceDeps {
  hashAddress: HashAddress
}

const { route } = routesOf<Deps>()

/** The id of an entry or its address. */
const IdOrEmail = Type.Object({
  id: Type.String({ minLength: 1, description: 'Id or address of the suppression.' }),
})

const common = { area: 'suppressions', permission: 'full' } as const
const one = { description: 'The suppression.', schema: SuppressionEntry }
const suppressions = new Resource<Suppression, Deps>('/suppressions', 'suppression', {
  ...common,
  noun: 'suppression',
  params: IdOrEmail,
  schema: SuppressionEntry,
  toJson: suppressionToJson,
})

/** Idempotent: 201 the first time, 200 with the existing entry after that. */
const addSuppression = route('POST', '/suppressions', {
  ...common,
  operationId: 'suppressAddress',
  action: 'suppressions.create',
  summary: 'Suppress an address',
  description: 'No email is sent to a suppressed address. Suppressing it again changes nothing.',
  body: SuppressionInput,
  responses: {
    201: { ...one, description: 'The new suppression.' },
    200: { ...one, description: 'The existing suppression.' },
  },
  async handle({ caller, body, audited, deps: { clock, hashAddress } }) {
    const { entry, isNew } = await runAgainOnDeadlock(audited, (tx) =>
      suppress(tx, hashAddress, caller.teamId, body.email, clock.now()),
    )
    return { status: isNew ? 201 : 200, json: suppressionToJson(entry) }
  },
})

const addSuppressions = route('POST', '/suppressions/batch/add', {
  ...common,
  operationId: 'suppressAddresses',
  action: 'suppressions.batch.add',
  summary: 'Suppress addresses in bulk',
  description:
    'Suppresses all addresses or none: an invalid address returns an error on `emails.N`. Addresses that are already suppressed do not change.',
  body: SuppressionBatch,
  responses: {
    201: { description: 'At least one address is newly suppressed.', schema: SuppressionsAdded },
    200: { description: 'All addresses were already suppressed.', schema: SuppressionsAdded },
  },
  async handle({ caller, body, audited, deps: { clock, hashAddress } }) {
    const outcomes = await runAgainOnDeadlock(audited, (tx) =>
      suppressMany(tx, hashAddress, caller.teamId, body.emails, clock.now()),
    )
    const data = outcomes.map(({ entry }) => suppressionToJson(entry))
    return { status: outcomes.some(({ isNew }) => isNew) ? 201 : 200, json: { object: 'list', data } }
  },
})

const removeSuppressions = route('POST', '/suppressions/batch/remove', {
  ...common,
  operationId: 'removeSuppressions',
  action: 'suppressions.batch.remove',
  summary: 'Remove suppressions in bulk',
  description: 'Pass `emails` or `ids`. Those that are not on the list are ignored.',
  body: SuppressionBatchRemoval,
  responses: { 200: { description: 'The suppressions were removed.', schema: SuppressionsRemoved } },
  async handle({ caller, body, audited, deps: { clock, hashAddress } }) {
    const named = readBatch(body)
    const removed = await runAgainOnDeadlock(audited, (tx) =>
      unsuppressMany(tx, hashAddress, caller.teamId, named, clock.now()),
    )
    const data = removed.map(({ id, email }) => ({ object: 'suppression', id, email, deleted: true }))
    return { status: 200, json: { object: 'list', data } }
  },
})

function readBatch({ emails, ids }: { emails?: string[]; ids?: string[] }) {
  if (emails !== undefined && ids !== undefined) {
    throw invalidField('ids', 'The ids field must not be combined with emails.')
  }
  if (ids !== undefined) return { ids }
  if (emails === undefined) throw invalidField('emails', 'The emails field is required.')
  return { emails }
}
const SuppressionQuery = Type.Object({ ...PAGE_PARAMETERS, ...SuppressionFilters })

const getSuppressions = route('GET', '/suppressions', {
  ...common,
  operationId: 'listSuppressions',
  summary: 'List suppressions',
  description: 'Newest first; with `q`, in order of address.',
  query: SuppressionQuery,
  responses: { 200: { description: 'A page of suppressions.', schema: listOf(SuppressionEntry) } },
  async handle(request) {
    const { caller, query, deps } = request
    const page = readPage(query)
    const filter = readFilter(query, deps.hashAddress, caller.teamId)
    const list = await listSuppressions(deps.lists, caller.teamId, filter, page)
    const total = await countSuppressions(deps.lists, caller.teamId, filter)
    return pageReply(request, '/suppressions', { ...list, page, total }, suppressionToJson)
  },
})

export const suppressionRoutes: readonly Route<Deps>[] = [
  addSuppression,
  addSuppressions,
  removeSuppressions,
  getSuppressions,
  suppressions.get('getSuppression', 'Get a suppression by id or address', {
    description: 'Returns the address, the reason, and when it was suppressed.',
    read: (db, teamId, id, { deps }) => lookUpSuppression(db, deps.hashAddress, teamId, id),
  }),
  ...suppressions.update('updateSuppression', 'Change the reason of a suppression', {
    description: 'The address remains suppressed, whatever the reason is.',
    runsAgain: true,
    body: SuppressionChange,
    input: ({ reason }) => reason,
    update: (tx, teamId, id, reason, now, { deps: { hashAddress } }) =>
      reason === undefined
        ? lookUpSuppression(tx, hashAddress, teamId, id)
        : changeReason(tx, hashAddress, teamId, id, reason, now),
  }),
  suppressions.delete('removeSuppression', 'Remove a suppression', {
    description: 'Sendwright delivers email to the address again.',
    runsAgain: true,
    remove: async (tx, teamId, id, now, { deps }) =>
      (await unsuppress(tx, deps.hashAddress, teamId, id, now)).id,
  }),
]

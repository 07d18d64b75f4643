import Type from 'typebox'
import type { Config } from '../config/config.ts'
import type { Db } from '../db/db-types.ts'
import { runAgainOnDeadlock } from '../db/transactions.ts'
import { listOf, listToJson, PAGE_PARAMETERS, readPage } from '../http/page.ts'
import { deletedToJson } from '../http/present.ts'
import { aliasOf, type Route, routesOf } from '../http/route.ts'
import { ADDRESS_CHARS_MAX, Deleted } from '../http/schemas.ts'
import { ApiError, invalidField } from '../lib/api-error.ts'
import type { HashAddress } from '../lib/crypto/erased-address.ts'
import type { Clock } from '../lib/time/clock.ts'
import { readAddressKey } from '../mime/address.ts'
import { countSuppressions, listSuppressions, type SuppressionFilter } from './list-suppressions-queries.ts'
import {
  REASONS,
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
  writingsOf,
} from './suppressions.ts'
import type { SuppressionReason } from './suppressions-queries.ts'

interface Deps {
  config: Config
  db: Db
  lists: Db
  clock: Clock
  hashAddress: HashAddress
}

const { route } = routesOf<Deps>()

/** The id of an entry or its address. */
const IdOrEmail = Type.Object({ id: Type.String({ minLength: 1, description: 'Id or address.' }) })

const common = { tag: 'Suppressions', permission: 'full', limit: 'general' } as const
const one = { description: 'The suppression.', schema: SuppressionEntry }

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
    'Up to 1,000 addresses, all or nothing: an invalid address is reported as `emails.N`, and nothing is written. Addresses that are already suppressed do not change.',
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
  description: 'Up to 1,000 `emails` or `ids`. Addresses and ids that are not on the list are ignored.',
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

/** What the list and the export can be narrowed down by. */
export const SuppressionFilters = {
  reason: Type.Optional(Type.Enum([...REASONS], { description: 'Entries with this reason.' })),
  origin: Type.Optional(Type.Enum([...REASONS], { description: 'Same as reason.' })),
  email: Type.Optional(
    Type.String({ maxLength: ADDRESS_CHARS_MAX, description: 'A whole address, in any case.' }),
  ),
  q: Type.Optional(
    Type.String({ maxLength: 255, description: 'What the address begins with, in any case.' }),
  ),
}
const SuppressionQuery = Type.Object({ ...PAGE_PARAMETERS, ...SuppressionFilters })

const getSuppressions = route('GET', '/suppressions', {
  ...common,
  operationId: 'listSuppressions',
  summary: 'List suppressions',
  description:
    'Newest first; with `q`, in order of address. `origin` equals `reason`. With `email` or `q`, `meta.total` counts up to 10,000.',
  query: SuppressionQuery,
  responses: { 200: { description: 'A page of suppressions.', schema: listOf(SuppressionEntry) } },
  async handle({ caller, query, deps: { lists, config, hashAddress } }) {
    const page = readPage(query)
    const filter = readFilter(query, hashAddress, caller.teamId)
    const { rows, hasMore } = await listSuppressions(lists, caller.teamId, filter, page)
    const total = await countSuppressions(lists, caller.teamId, filter)
    const list = { publicUrl: config.publicUrl, path: '/suppressions', query, page, total, hasMore }
    return { status: 200, json: listToJson({ ...list, data: rows.map(suppressionToJson) }) }
  },
})

/** The filters that the list and the export share. */
export function readFilter(
  query: { reason?: SuppressionReason; origin?: SuppressionReason; email?: string; q?: string },
  hashAddress: HashAddress,
  teamId: string,
): SuppressionFilter {
  const { reason = query.origin, email, q } = query
  const prefix = q?.trim().normalize('NFC').toLowerCase() ?? ''
  return {
    ...(reason === undefined ? {} : { reason }),
    // What is no address fits none.
    ...(email === undefined ? {} : { emails: writingsOf(hashAddress, teamId, readAddressKey(email)) }),
    ...(prefix === '' ? {} : { prefix }),
  }
}

const getSuppression = route('GET', '/suppressions/:id', {
  ...common,
  operationId: 'getSuppression',
  summary: 'Get a suppression by id or address',
  description: 'Returns the address, the reason, and when it was suppressed.',
  params: IdOrEmail,
  responses: { 200: one },
  async handle({ caller, params, deps: { db, hashAddress } }) {
    const entry = await lookUpSuppression(db, hashAddress, caller.teamId, params.id)
    if (entry === null) throw new ApiError('not_found')
    return { status: 200, json: suppressionToJson(entry) }
  },
})

const updateSuppression = route('PATCH', '/suppressions/:id', {
  ...common,
  operationId: 'updateSuppression',
  action: 'suppressions.update',
  summary: 'Change the reason of a suppression',
  description: 'By id or address. The address stays suppressed whatever the reason.',
  params: IdOrEmail,
  body: SuppressionChange,
  responses: { 200: one },
  async handle({ caller, params, body: { reason }, audited, deps: { clock, hashAddress } }) {
    const entry = await runAgainOnDeadlock(audited, async (tx) =>
      reason === undefined
        ? lookUpSuppression(tx, hashAddress, caller.teamId, params.id)
        : changeReason(tx, hashAddress, caller.teamId, params.id, reason, clock.now()),
    )
    if (entry === null) throw new ApiError('not_found')
    return { status: 200, json: suppressionToJson(entry) }
  },
})

const removeSuppression = route('DELETE', '/suppressions/:id', {
  ...common,
  operationId: 'removeSuppression',
  action: 'suppressions.delete',
  summary: 'Remove a suppression',
  description: 'By id or address. Email to the address is accepted again.',
  params: IdOrEmail,
  responses: { 200: { description: 'The record was deleted.', schema: Deleted } },
  async handle({ caller, params, audited, deps: { clock, hashAddress } }) {
    const entry = await runAgainOnDeadlock(audited, (tx) =>
      unsuppress(tx, hashAddress, caller.teamId, params.id, clock.now()),
    )
    return { status: 200, json: deletedToJson('suppression', entry.id) }
  },
})

export const suppressionRoutes: readonly Route<Deps>[] = [
  addSuppression,
  addSuppressions,
  removeSuppressions,
  getSuppressions,
  getSuppression,
  updateSuppression,
  aliasOf(updateSuppression, { method: 'PUT' }),
  removeSuppression,
]

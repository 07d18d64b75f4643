import Type from 'typebox'
import { Refusal } from '../../base/refusal.ts'
import { lookUpSuppression, suppress, unsuppress } from '../../operations/suppressions.ts'
import { readCounter } from '../../store/counters.ts'
import { listSuppressions, SUPPRESSION_COUNTER, type Suppression } from '../../store/suppressions.ts'
import { listOf, PageQuery, presentList, readPage } from '../page.ts'
import { presentDeleted, presentTime } from '../present.ts'
import { type Route, route } from '../route.ts'
import { Deleted, Timestamp, Uuid } from '../schemas.ts'

const SuppressionEntry = Type.Object({
  object: Type.Literal('suppression'),
  id: Uuid,
  email: Type.String({ description: 'In lower case, the domain as A-label.' }),
  reason: Type.Union([Type.Enum(['manual', 'bounce', 'complaint']), Type.Null()]),
  source_email_id: Type.Union([Uuid, Type.Null()]),
  created_at: Timestamp,
  updated_at: Timestamp,
})

/** The id of an entry or its address. */
const IdOrEmail = Type.Object({ id: Type.String({ minLength: 1, description: 'Id or address.' }) })

function present(entry: Suppression) {
  return {
    object: 'suppression',
    id: entry.id,
    email: entry.email,
    reason: entry.reason,
    source_email_id: entry.sourceEmailId,
    created_at: presentTime(entry.createdAt),
    updated_at: presentTime(entry.updatedAt),
  }
}

const common = { tag: 'Suppressions', permission: 'full', limit: 'general' } as const
const one = { description: 'The entry.', schema: SuppressionEntry }

/** Idempotent: 201 the first time, 200 with the existing entry after that. */
const addSuppression = route('POST', '/suppressions', {
  ...common,
  summary: 'Suppress an address',
  description:
    'The address gets no email from then on. An address that is suppressed already stays as it is.',
  body: Type.Object({ email: Type.String({ minLength: 1, maxLength: 255 }) }),
  responses: {
    201: { ...one, description: 'The new entry.' },
    200: { ...one, description: 'The entry that was there.' },
  },
  async handle({ caller, body, services: { db, clock } }) {
    const cause = { reason: 'manual', sourceEmailId: null } as const
    const { entry, isNew } = await db.transaction((tx) =>
      suppress(tx, caller.teamId, body.email, cause, clock.now()),
    )
    return { status: isNew ? 201 : 200, json: present(entry) }
  },
})

const getSuppressions = route('GET', '/suppressions', {
  ...common,
  summary: 'List suppressed addresses',
  query: PageQuery,
  responses: { 200: { description: 'Newest first.', schema: listOf(SuppressionEntry) } },
  async handle({ caller, query, services: { lists, config } }) {
    const page = readPage(query)
    const { rows, hasMore } = await listSuppressions(lists, caller.teamId, page)
    const total = await readCounter(lists, caller.teamId, SUPPRESSION_COUNTER)
    const list = { publicUrl: config.publicUrl, path: '/suppressions', query, page, total, hasMore }
    return { status: 200, json: presentList({ ...list, data: rows.map(present) }) }
  },
})

const getSuppression = route('GET', '/suppressions/:id', {
  ...common,
  summary: 'Read an entry by id or address',
  params: IdOrEmail,
  responses: { 200: one },
  async handle({ caller, params, services: { db } }) {
    const entry = await lookUpSuppression(db, caller.teamId, params.id)
    if (entry === null) throw new Refusal('not_found')
    return { status: 200, json: present(entry) }
  },
})

const removeSuppression = route('DELETE', '/suppressions/:id', {
  ...common,
  summary: 'Let an address get email again',
  params: IdOrEmail,
  responses: { 200: { description: 'It is gone.', schema: Deleted } },
  async handle({ caller, params, services: { db, clock } }) {
    const entry = await db.transaction((tx) => unsuppress(tx, caller.teamId, params.id, clock.now()))
    return { status: 200, json: presentDeleted('suppression', entry.id) }
  },
})

export const suppressionRoutes: readonly Route[] = [
  addSuppression,
  getSuppressions,
  getSuppression,
  removeSuppression,
]

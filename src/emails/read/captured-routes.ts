import Type from 'typebox'
import { listOf, listToJson, PageQuery, readPage } from '../../http/route/page.ts'
import type { ResourceDeps } from '../../http/route/resource.ts'
import { type Route, routesOf } from '../../http/route/route.ts'
import { IdParams } from '../../http/route/schemas.ts'
import { orNotFound } from '../../lib/api-error.ts'
import type { FairSemaphore } from '../../lib/async/fair-semaphore.ts'
import { workOnContent } from '../content/heavy-content.ts'
import {
  countCaptured,
  deleteCaptured,
  findCaptured,
  findCapturedSize,
  listCaptured,
} from './captured-queries.ts'
import {
  CapturedSummary,
  CapturedWhole,
  capturedSummariesToJson,
  envelopeToJson,
} from './captured-schemas.ts'
import { readInTurn } from './large-reads.ts'

interface Deps extends Pick<ResourceDeps, 'config' | 'db' | 'lists'> {
  largeReads: FairSemaphore
}

const { route } = routesOf<Deps>()

const common = { area: 'captured', permission: 'full' } as const

const getCapturedList = route('GET', '/captured', {
  ...common,
  operationId: 'listCapturedEmails',
  summary: 'List captured messages',
  description:
    'Newest first. With `SENDWRIGHT_DELIVERY=capture`, Sendwright stores messages here instead of sending them.',
  query: PageQuery,
  responses: { 200: { description: 'Newest first.', schema: listOf(CapturedSummary) } },
  async handle({ caller, query, deps: { lists, config } }) {
    const page = readPage(query)
    const { rows, hasMore } = await listCaptured(lists, caller, page)
    const total = await countCaptured(lists, caller)
    const data = await capturedSummariesToJson(rows)
    const list = { publicUrl: config.publicUrl, path: '/captured', query, page, total, hasMore }
    return { status: 200, json: listToJson({ ...list, data }) }
  },
})

const getCaptured = route('GET', '/captured/:id', {
  ...common,
  operationId: 'getCapturedEmail',
  summary: 'Get a captured message',
  description: 'The parsed message and its raw source.',
  params: IdParams,
  responses: { 200: { description: 'The message.', schema: CapturedWhole } },
  async handle({ caller, params, deps }) {
    const { teamId } = caller
    const sizeBytes = orNotFound(await findCapturedSize(deps.db, caller, params.id))
    return readInTurn(deps, teamId, sizeBytes, async () => {
      const captured = orNotFound(await findCaptured(deps.db, teamId, params.id, sizeBytes))
      const job = { before: envelopeToJson(captured), message: captured.message }
      const of = { teamId, sizeBytes, handedOver: [job.message] }
      return { status: 200, jsonPieces: await workOnContent('capturedJson', of, job) }
    })
  },
})

const clearCaptured = route('DELETE', '/captured', {
  ...common,
  operationId: 'deleteCapturedEmails',
  action: 'captured.delete',
  summary: 'Delete all captured messages',
  description: 'Empties the mailbox of capture mode.',
  responses: {
    200: {
      description: 'The messages were deleted.',
      schema: Type.Object({
        object: Type.Literal('captured'),
        deleted: Type.Literal(true),
        count: Type.Integer({ description: 'Number of deleted messages.' }),
      }),
    },
  },
  async handle({ caller, audited }) {
    const count = await audited.transaction(async (tx) => (await deleteCaptured(tx, caller)) || null)
    return { status: 200, json: { object: 'captured', deleted: true, count: count ?? 0 } }
  },
})

export const capturedRoutes: readonly Route<Deps>[] = [getCapturedList, getCaptured, clearCaptured]

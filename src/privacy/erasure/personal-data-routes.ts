import Type from 'typebox'
import type { Db } from '../../db/db.ts'
import { readInTurn } from '../../emails/read/large-reads.ts'
import { type Route, routesOf } from '../../http/route.ts'
import { IdParams } from '../../http/schemas.ts'
import { ApiError } from '../../lib/api-error.ts'
import type { FairSemaphore } from '../../lib/async/fair-semaphore.ts'
import type { HashAddress } from '../../lib/crypto/erased-address.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { beginErasure, requireAddress, requireExportAddress } from './begin-erasure.ts'
import { EraseBody, ErasureAnswer, erasureToJson } from './erasure-schemas.ts'
import { findErasure } from './erasures-queries.ts'
import { exportPerson } from './export-person.ts'

interface Deps {
  db: Db
  lists: Db
  clock: Clock
  hashAddress: HashAddress
  largeReads: FairSemaphore
}

const { route } = routesOf<Deps>()

const common = { tag: 'Personal data', permission: 'full', limit: 'general' } as const
const Whose = Type.Object({
  id: Type.String({ minLength: 1, description: 'The id of a contact, or any address.' }),
})
const one = { description: 'The erasure.', schema: ErasureAnswer }

const ERASE = [
  'Removes a person from everything that the account has: contact, values, memberships, emails with all that they said, recipients, tries, events. What was accepted for the address and not begun is canceled.',
  'Counts stay: in emails and events stands `erased-...@erased.invalid` in place of the address. That the address is suppressed, or has unsubscribed, is kept as a hash and goes on to hold.',
  'Begins at once and goes on in the background; GET /erasures/{id} tells how far it is. There is no way back.',
].join(' ')

const erase = route('POST', '/contacts/:id/erase', {
  ...common,
  summary: 'Forget a person',
  description: ERASE,
  params: Whose,
  body: EraseBody,
  responses: { 202: { ...one, description: 'It has begun.' } },
  async handle({ caller: { teamId }, params, body, deps: { db, clock, hashAddress } }) {
    const address = await requireAddress(db, teamId, params.id)
    const wanted = { teamId, address, keepSuppressed: body.keep_suppressed === true }
    const erasure = await beginErasure({ db, clock, hashAddress }, wanted)
    return { status: 202, json: erasureToJson(erasure) }
  },
})

const getErasure = route('GET', '/erasures/:id', {
  ...common,
  summary: 'Read how far an erasure is',
  params: IdParams,
  responses: { 200: one },
  async handle({ caller: { teamId }, params, deps: { db } }) {
    const erasure = await findErasure(db, teamId, params.id)
    if (erasure === null) throw new ApiError('not_found')
    return { status: 200, json: erasureToJson(erasure) }
  },
})

const EXPORT = {
  object: 'person_export',
  email: 'ann@customer.example',
  exported_at: '2026-01-15 09:30:00',
  contact: null,
  suppressions: [],
  unsubscriptions: [],
  emails: [],
  sent_emails: [],
  events: [],
}

const getExport = route('GET', '/contacts/:id/export', {
  ...common,
  summary: 'Export all that is known of a person',
  description:
    'One JSON object: contact, suppression, unsubscriptions, every email to the address with its recipient, tries, events and content as far as it is kept, the ids of emails from it, and events of the contact. Made while it is read. Of other recipients it tells what all could see. 404 for the id of a contact that was deleted.',
  params: Whose,
  responses: {
    200: {
      description: 'The file.',
      schema: Type.Object({}, { additionalProperties: true }),
      example: EXPORT,
    },
  },
  async handle({ caller: { teamId }, params, deps }) {
    const { db, lists, clock, hashAddress } = deps
    const address = await requireExportAddress(db, teamId, params.id)
    const inTurn = <T>(sizeBytes: number, read: () => Promise<T>) => readInTurn(deps, teamId, sizeBytes, read)
    return {
      status: 200,
      chunks: exportPerson({ db: lists, hashAddress, inTurn }, teamId, address, clock.now()),
      type: 'application/json; charset=utf-8',
      headers: { 'content-disposition': 'attachment; filename="person.json"' },
    }
  },
})

export const personalDataRoutes: readonly Route<Deps>[] = [erase, getErasure, getExport]

import Type from 'typebox'
import { readInTurn } from '../../emails/read/large-reads.ts'
import type { ReadPackedBody } from '../../emails/rows/packed-queries.ts'
import type { ResourceDeps } from '../../http/route/resource.ts'
import { type Route, routesOf } from '../../http/route/route.ts'
import { IdParams } from '../../http/route/schemas.ts'
import { orNotFound } from '../../lib/api-error.ts'
import type { FairSemaphore } from '../../lib/async/fair-semaphore.ts'
import type { HashAddress } from '../../lib/crypto/erased-address.ts'
import { beginErasure, requireAddress, requireExportAddress } from './begin-erasure.ts'
import { EraseBody, ErasureAnswer, erasureToJson } from './erasure-schemas.ts'
import { findErasure } from './erasures-queries.ts'
import { exportPerson } from './export-person.ts'

interface Deps extends Pick<ResourceDeps, 'db' | 'lists' | 'clock'> {
  readBody: ReadPackedBody
  hashAddress: HashAddress
  largeReads: FairSemaphore
}

const { route } = routesOf<Deps>()

const common = { area: 'personalData', permission: 'full' } as const
const Whose = Type.Object({
  id: Type.String({ minLength: 1, description: 'Id of a contact, or any address.' }),
})
const one = { description: 'The erasure.', schema: ErasureAnswer }

const ERASE = [
  'Removes a person from all data of the team: contact, property values, memberships, email content, recipients, attempts, events. Emails to the address that have not started are canceled.',
  'Counts remain: emails and events show `erased-...@erased.invalid` instead of the address. Suppressions and unsubscriptions of the address remain in effect, stored as a hash.',
  'The erasure continues in the background; `GET /erasures/{id}` reports its progress. It cannot be undone.',
].join(' ')

const erase = route('POST', '/contacts/:id/erase', {
  ...common,
  operationId: 'erasePerson',
  action: 'contacts.erase',
  summary: 'Erase a person',
  description: ERASE,
  params: Whose,
  body: EraseBody,
  responses: { 202: { ...one, description: 'The erasure has started.' } },
  async handle({ caller: { teamId }, params, body, audited, deps: { db, clock, hashAddress } }) {
    const address = await requireAddress(db, teamId, params.id)
    const input = { teamId, address, keepSuppressed: body.keep_suppressed === true }
    const erasure = await beginErasure({ db: audited, clock, hashAddress }, input)
    return { status: 202, json: erasureToJson(erasure) }
  },
})

const getErasure = route('GET', '/erasures/:id', {
  ...common,
  operationId: 'getErasure',
  summary: 'Get the progress of an erasure',
  description: 'The counts grow until the status is `completed`.',
  params: IdParams,
  responses: { 200: one },
  async handle({ caller: { teamId }, params, deps: { db } }) {
    const erasure = orNotFound(await findErasure(db, teamId, params.id))
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
  automation_runs: [],
  events: [],
}

const getExport = route('GET', '/contacts/:id/export', {
  ...common,
  operationId: 'exportPerson',
  summary: 'Export the data of a person',
  description:
    'Streams one JSON object: the contact, suppressions, unsubscriptions, every email to the address (recipient, attempts, events, stored content), the ids of emails from it, and the events of the contact. Other recipients appear only if every recipient could see them.',
  params: Whose,
  responses: {
    200: {
      description: 'The data of the person.',
      schema: Type.Object({}, { additionalProperties: true }),
      example: EXPORT,
    },
  },
  async handle({ caller: { teamId }, params, deps }) {
    const { db, lists, readBody, clock, hashAddress } = deps
    const address = await requireExportAddress(db, teamId, params.id)
    const inTurn = <T>(sizeBytes: number, read: () => Promise<T>) => readInTurn(deps, teamId, sizeBytes, read)
    return {
      status: 200,
      chunks: exportPerson({ db: lists, readBody, hashAddress, inTurn }, teamId, address, clock.now()),
      type: 'application/json; charset=utf-8',
      headers: { 'content-disposition': 'attachment; filename="person.json"' },
    }
  },
})

export const personalDataRoutes: readonly Route<Deps>[] = [erase, getErasure, getExport]

import type { Static } from 'typebox'
import Type from 'typebox'
import { readCounter } from '../../db/counters.ts'
import { readIdempotency } from '../../emails/idempotency/idempotency-key.ts'
import { listOf, PageQuery, pageReply, readPage } from '../../http/route/page.ts'
import { Resource, type ResourceDeps } from '../../http/route/resource.ts'
import { type Route, routesOf } from '../../http/route/route.ts'
import { invalidField } from '../../lib/api-error.ts'
import { parseInstant } from '../../lib/time/scheduled-at.ts'
import { defineEvent, removeEventDefinition } from './event-definitions.ts'
import {
  EVENT_DEFINITION_COUNTER,
  findEventDefinition,
  listEventDefinitions,
  updateEventDefinition,
} from './event-definitions-queries.ts'
import { requireEventName } from './event-name.ts'
import { readContactReference, readPayload } from './read-reference.ts'
import { reportEvent } from './report-event.ts'
import {
  EventDefinitionAnswer,
  EventDefinitionBody,
  EventDefinitionChanges,
  eventDefinitionToJson,
  ReportAnswer,
  ReportBody,
} from './reported-schemas.ts'

const { route } = routesOf<ResourceDeps>()

const COMMON = { area: 'automations', permission: 'full' } as const

const NameParams = Type.Object({
  id: Type.String({ maxLength: 255, description: 'Id or name of the event.' }),
})

const definitions = new Resource('/events', 'event', {
  ...COMMON,
  noun: 'event',
  schema: EventDefinitionAnswer,
  toJson: eventDefinitionToJson,
  params: NameParams,
})

const sendEvent = route('POST', '/events/send', {
  ...COMMON,
  operationId: 'sendEvent',
  summary: 'Report an event of a contact',
  description:
    'Begins and resumes automations, and is in the event feed as `contact.event`. An event needs no definition; with one, its payload is checked. A repeated `Idempotency-Key` reports nothing.',
  body: ReportBody,
  headers: { 'Idempotency-Key': 'Up to 256 printable ASCII characters, remembered for 24 hours.' },
  responses: { 202: { description: 'The event was recorded.', schema: ReportAnswer } },
  async handle({ caller, body, bodyHash, headers, deps: { db, clock } }) {
    const now = clock.now()
    const name = requireEventName(body.event, 'event')
    const idempotency = readIdempotency(headers['idempotency-key'], body, bodyHash)
    const event = {
      name,
      contact: readContactReference(body),
      payload: readPayload(body.payload),
      occurredAt: readOccurredAt(body.occurred_at, now),
    }
    await reportEvent(db, caller.teamId, event, idempotency, now)
    return { status: 202, json: { object: 'event', event: name } }
  },
})

function readOccurredAt(text: string | null | undefined, now: Date): Date {
  if (text === undefined || text === null) return now
  const instant = parseInstant(text)
  if (instant === null) throw invalidField('occurred_at', 'The occurred_at field must be an ISO 8601 date.')
  return instant
}

const listDefinitions = route('GET', '/event-definitions', {
  ...COMMON,
  operationId: 'listEventDefinitions',
  summary: 'List defined events',
  description: 'Newest first.',
  query: PageQuery,
  responses: { 200: { description: 'Newest first.', schema: listOf(EventDefinitionAnswer) } },
  async handle(request) {
    const { teamId } = request.caller
    const { lists } = request.deps
    const page = readPage(request.query as Static<typeof PageQuery>)
    const rows = await listEventDefinitions(lists, teamId, page)
    const total = await readCounter(lists, teamId, EVENT_DEFINITION_COUNTER)
    return pageReply(request, '/event-definitions', { ...rows, page, total }, eventDefinitionToJson)
  },
})

export const reportedEventRoutes: readonly Route<ResourceDeps>[] = [
  sendEvent,
  definitions.create('createEventDefinition', 'Define an event', {
    description: 'Names an event that the application reports, and the fields of its payload.',
    body: EventDefinitionBody,
    input: ({ name, schema = null }) => ({ name, schema }),
    create: defineEvent,
  }),
  listDefinitions,
  definitions.get('getEventDefinition', 'Get a defined event', {
    description: 'By id or name.',
    read: findEventDefinition,
  }),
  ...definitions.update('updateEventDefinition', 'Update a defined event', {
    description: 'Replaces the fields of its payload.',
    body: EventDefinitionChanges,
    input: ({ schema }) => schema,
    update: updateEventDefinition,
  }),
  definitions.delete('deleteEventDefinition', 'Delete a defined event', {
    description: 'Events of this name can still be reported.',
    remove: removeEventDefinition,
  }),
]

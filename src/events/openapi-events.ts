import Type from 'typebox'
import type { JsonObject } from '../http/docs/openapi-json.ts'
import { Timestamp } from '../http/schemas.ts'
import { EVENT_KINDS, type EventKind } from './catalogue.ts'

const AT = '2026-01-15 09:30:02'

/** Every kind of event as webhooks are told of it (OpenAPI 3.1, `webhooks`); the feed's events are the same. */
export function describeEvents(): JsonObject {
  return Object.fromEntries(
    EVENT_KINDS.map((kind: EventKind) => [kind.type, { post: describeEvent(kind) }]),
  ) as JsonObject
}

function describeEvent({ type, summary, data, example: given }: EventKind): JsonObject {
  const schema = Type.Object({ type: Type.Literal(type), created_at: Timestamp, data })
  const example = { type, created_at: AT, data: given }
  return JSON.parse(
    JSON.stringify({
      summary,
      tags: ['Events'],
      requestBody: { required: true, content: { 'application/json': { schema, example } } },
      responses: { '2XX': { description: 'Taken.' } },
    }),
  )
}

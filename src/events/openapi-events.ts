import Type from 'typebox'
import type { JsonObject } from '../http/docs/openapi-json.ts'
import { Timestamp } from '../http/route/schemas.ts'
import { EVENT_KINDS, type EventKind } from './catalogue.ts'

/** Returns every kind of event as webhooks receive it (OpenAPI 3.1, `webhooks`); the feed's events are the same. */
export function describeEvents(): Record<string, JsonObject> {
  return Object.fromEntries(EVENT_KINDS.map((kind: EventKind) => [kind.type, describeEvent(kind)]))
}

function describeEvent({ type, summary, data }: EventKind): JsonObject {
  // Kinds with the same model share the example of the first.
  const first: EventKind | undefined = EVENT_KINDS.find((kind) => kind.data === data)
  const named = { ...data, examples: [first?.example] }
  const schema = Type.Object({ type: Type.Literal(type), created_at: Timestamp, data: named })
  return JSON.parse(
    JSON.stringify({
      summary,
      tags: ['Events'],
      schema,
      responses: { '2XX': { description: 'Received.' } },
    }),
  )
}

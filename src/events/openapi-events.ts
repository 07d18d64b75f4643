import Type from 'typebox'
import type { JsonObject } from '../http/docs/openapi-json.ts'
import { Timestamp } from '../http/route/schemas.ts'
import { EVENT_KINDS, type EventKind } from './catalogue.ts'

/** Returns every kind of event as webhooks receive it (OpenAPI 3.1, `webhooks`); the feed's events are the same. */
export function describeEvents(): Record<string, JsonObject> {
  const titles = EVENT_KINDS.map(dataTitle)
  return Object.fromEntries(
    EVENT_KINDS.map((kind: EventKind, index) => {
      const title = titles[index] as string
      const first = EVENT_KINDS[titles.indexOf(title)] as EventKind
      return [kind.type, describeEvent(kind, title, first.example)]
    }),
  )
}

function describeEvent({ type, summary, data }: EventKind, title: string, example: unknown): JsonObject {
  const named = { ...data, title, examples: [example] }
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

/**
 * Returns the name of the model. Events without additional data share one, `EmailEventData`. Events with the same data share
 * that of the first, `EmailSentEventData`.
 */
function dataTitle({ type, data }: EventKind): string {
  const text = JSON.stringify(data)
  const same = EVENT_KINDS.find((kind) => kind.data === data || JSON.stringify(kind.data) === text)
  const [subject = '', ...words] = (same?.type ?? type)
    .split(/[._]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
  const isPlain = EVENT_KINDS.filter((kind) => kind.type.startsWith(type.split('.')[0] ?? '')).every(
    (kind) => Object.keys(kind.data.properties).length >= Object.keys(data.properties).length,
  )
  return `${subject}${isPlain ? '' : words.join('')}EventData`
}

import type { SentEventType } from '../../../src/events/catalogue.ts'
import { texts } from './texts.ts'

/** A description of each event that an endpoint can subscribe to. The compiler checks it against the catalogue. */
const WORDS: Readonly<Record<SentEventType, string>> = texts.eventTypes.words

/** Grouped by the first word of the event type, as options of a select. */
export const EVENT_CHOICES = Object.entries(
  Object.groupBy(Object.keys(WORDS) as SentEventType[], (type) => type.split('.')[0] ?? ''),
).map(([group, types]) => ({
  group: group.charAt(0).toUpperCase() + group.slice(1),
  items: (types ?? []).map((type) => ({ value: type, label: `${type} · ${WORDS[type]}` })),
}))

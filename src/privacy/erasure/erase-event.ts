import type { TracedEvent } from './erase-traces-queries.ts'
import type { Person } from './person.ts'

type Fields = Record<string, unknown>

/** The remaining fields of an event about the person's contact or suppression, which do not identify them. */
const KEPT_CONTACT_FIELDS = ['id', 'list_id', 'topic', 'source', 'reason'] as const
/** Fields with statements of servers, DSNs and browsers about the person. */
const ERASED_RECIPIENT_FIELDS = ['response', 'advice', 'notice_recipient', 'mx_host', 'feedback'] as const

/**
 * Returns the data of an event without the person. Events of contacts and suppressions keep the id and what happened.
 * Events of emails keep the pseudonym, codes and category. Opens and clicks keep only that they happened.
 */
export function eraseEvent({ type, data }: Pick<TracedEvent, 'type' | 'data'>, person: Person): Fields {
  if (!type.startsWith('email.')) return eraseOwn(data, person)
  const isVisit = type === 'email.opened' || type === 'email.clicked'
  const recipient = typeof data.recipient === 'string' ? data.recipient : null
  const isTheirs = recipient === null ? isVisit : person.owns(recipient) || recipient === person.pseudonym
  if (!isTheirs) return person.scrubAll(data)
  const kept = Object.fromEntries(
    Object.entries(data).filter(([key]) => !(ERASED_RECIPIENT_FIELDS as readonly string[]).includes(key)),
  )
  if (recipient !== null) kept.recipient = person.pseudonym
  if (isVisit) Object.assign(kept, { ip_address: '', user_agent: null })
  if (type === 'email.clicked') kept.link = ''
  return person.scrubAll(kept)
}

function eraseOwn(data: Fields, { pseudonym }: Person): Fields {
  const kept = KEPT_CONTACT_FIELDS.filter((key) => key in data).map((key) => [key, data[key]])
  return { ...Object.fromEntries(kept), email: pseudonym }
}

/** Returns the events that change without the person, with their new data. */
export function changeEvents(events: readonly TracedEvent[], person: Person): TracedEvent[] {
  return events
    .map((event) => ({ ...event, data: eraseEvent(event, person) }))
    .filter(({ data }, index) => JSON.stringify(data) !== JSON.stringify(events[index]?.data))
}

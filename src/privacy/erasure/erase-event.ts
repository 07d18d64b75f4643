import type { TracedEvent } from './erase-traces-queries.ts'
import type { Person } from './person.ts'

type Fields = Record<string, unknown>

/** What stays of an event about the person's contact or suppression: whose it was is not in it. */
const KEPT_OF_CONTACT = ['id', 'list_id', 'topic', 'source', 'reason'] as const
/** What servers, notices and browsers said of the person. */
const GONE_OF_RECIPIENT = ['response', 'advice', 'notice_recipient', 'mx_host', 'feedback'] as const

/**
 * What an event says without the person. Those of contacts and suppressions keep what happened and its id; those of
 * emails keep the recipient's pseudonym, codes and category; visits keep that there was one.
 */
export function eraseEvent({ type, data }: Pick<TracedEvent, 'type' | 'data'>, person: Person): Fields {
  if (!type.startsWith('email.')) return eraseOwn(data, person)
  const isVisit = type === 'email.opened' || type === 'email.clicked'
  const recipient = typeof data.recipient === 'string' ? data.recipient : null
  const isTheirs = recipient === null ? isVisit : person.owns(recipient) || recipient === person.pseudonym
  if (!isTheirs) return person.scrubAll(data)
  const kept = Object.fromEntries(
    Object.entries(data).filter(([key]) => !(GONE_OF_RECIPIENT as readonly string[]).includes(key)),
  )
  if (recipient !== null) kept.recipient = person.pseudonym
  if (isVisit) Object.assign(kept, { ip_address: '', user_agent: null })
  if (type === 'email.clicked') kept.link = ''
  return person.scrubAll(kept)
}

function eraseOwn(data: Fields, { pseudonym }: Person): Fields {
  const kept = KEPT_OF_CONTACT.filter((key) => key in data).map((key) => [key, data[key]])
  return { ...Object.fromEntries(kept), email: pseudonym }
}

/** Events that say something else without the person, as they are then. */
export function changeEvents(events: readonly TracedEvent[], person: Person): TracedEvent[] {
  return events
    .map((event) => ({ ...event, data: eraseEvent(event, person) }))
    .filter(({ data }, index) => JSON.stringify(data) !== JSON.stringify(events[index]?.data))
}

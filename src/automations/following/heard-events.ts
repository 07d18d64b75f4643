import type { Queryable } from '../../db/db-types.ts'
import type { FeedEvent } from '../../events/feed-queries.ts'
import { suppressionKey } from '../../mime/address.ts'
import { findCampaignsOfEmails, findContactIdsByEmail } from '../rows/automation-feed-queries.ts'
import { findSendingSteps, type SendingStep } from '../rows/steps-taken-queries.ts'

/** The type of events that applications report. Their own name is in their data. */
export const REPORTED_TYPE = 'contact.event'

/** An event of the feed about a contact, as automations hear it. */
export interface HeardEvent {
  id: string
  position: number
  at: Date
  type: string
  /** The name that triggers and waits ask for: that of a reported event, or else the type. */
  name: string
  contactId: string
  data: Record<string, unknown>
  /** What rules see of it, and the steps behind it. */
  payload: Record<string, unknown>
  /** The step that sent the email, if the event is about one of an automation. */
  sending: SendingStep | null
  /** The campaign of the email. */
  campaignId: string | null
  /** What a run that it begins counts: the automations that caused it, one behind the other. */
  depth: number
  /** The automation that caused it. */
  causedBy: string | null
  /** Whether it can begin runs. The rows of most imports cannot. */
  begins: boolean
}

/** Returns those of the events that are about contacts of the team, in order. Visits by machines are left out. */
export async function hearEvents(
  db: Queryable,
  teamId: string,
  events: readonly FeedEvent[],
): Promise<HeardEvent[]> {
  const byPeople = events.filter(({ data }) => data.is_machine !== true)
  const emailIds = [...new Set(byPeople.filter(isAboutEmail).map(({ subjectId }) => subjectId))]
  const sendings = await findSendingSteps(db, teamId, emailIds)
  const campaigns = await findCampaignsOfEmails(db, teamId, emailIds)
  const contacts = await findContactIdsByEmail(db, teamId, [
    ...new Set(byPeople.flatMap((one) => addressOf(one) ?? [])),
  ])
  return byPeople.flatMap((event) => {
    const sending = isAboutEmail(event) ? (sendings.get(event.subjectId) ?? null) : null
    const contactId = event.type.startsWith('contact.')
      ? contactOf(event)
      : (sending?.contactId ?? contacts.get(addressOf(event) ?? '') ?? null)
    if (contactId === null) return []
    const campaignId = isAboutEmail(event) ? (campaigns.get(event.subjectId) ?? null) : null
    return [{ ...described(event, sending), contactId, sending, campaignId }]
  })
}

const isAboutEmail = ({ type }: FeedEvent) => type.startsWith('email.')

/** A contact that has no row left has no runs either. */
function contactOf({ subjectId, data }: FeedEvent): string | null {
  return data.id === null ? null : subjectId
}

/** Returns the address that identifies the contact of an event about something else. */
function addressOf({ type, data }: FeedEvent): string | null {
  if (type.startsWith('contact.')) return null
  const address = type.startsWith('email.') ? data.recipient : data.email
  return typeof address === 'string' ? suppressionKey(address) : null
}

function described(event: FeedEvent, sending: SendingStep | null) {
  const { id, position, type, data, createdAt: at } = event
  const isReported = type === REPORTED_TYPE
  const cause = data.automation as { id?: string; depth?: number } | undefined
  const earlier = sending?.depth ?? cause?.depth
  return {
    id,
    position,
    at,
    type,
    name: isReported ? String(data.event) : type,
    data,
    payload: (isReported ? (data.payload ?? {}) : data) as Record<string, unknown>,
    depth: earlier === undefined ? 0 : earlier + 1,
    causedBy: sending?.automationId ?? cause?.id ?? null,
    begins: (data.import as { runs_automations?: boolean } | undefined)?.runs_automations !== false,
  }
}

import type { TriggerConfig, TriggerKind } from '../graph/graph-types.ts'
import type { HeardEvent } from './heard-events.ts'

/** The events that may begin runs, by the type of the trigger. Entries into segments are found by comparing members. */
export const TRIGGER_EVENTS: Readonly<Record<TriggerKind, readonly string[]>> = {
  contact_created: ['contact.created'],
  contact_updated: ['contact.updated'],
  property_changed: ['contact.created', 'contact.updated'],
  list_joined: ['contact.list_joined'],
  list_left: ['contact.list_left'],
  segment_entered: [
    'contact.created',
    'contact.updated',
    'contact.list_joined',
    'contact.list_left',
    'contact.unsubscribed',
  ],
  email_delivered: ['email.delivered'],
  email_opened: ['email.opened'],
  email_clicked: ['email.clicked'],
  email_bounced: ['email.bounced'],
  event: ['contact.event'],
  date: [],
  api: [],
}

/** Returns whether an event meets a trigger, apart from its rule over the payload. */
export function meetsTrigger(config: TriggerConfig, event: HeardEvent): boolean {
  if (!TRIGGER_EVENTS[config.type].includes(event.type)) return false
  switch (config.type) {
    case 'contact_created':
    case 'contact_updated':
      return true
    case 'property_changed':
      return isChange(config, event)
    case 'list_joined':
    case 'list_left':
      return event.data.list_id === config.list_id
    case 'email_delivered':
    case 'email_opened':
    case 'email_bounced':
      return fits(config, event)
    case 'email_clicked':
      return fits(config, event) && (config.link === undefined || event.data.link === config.link)
    case 'event':
      return event.name === config.event_name
    default:
      return false
  }
}

type Changes = Readonly<Record<string, { from: unknown; to: unknown }>>

function isChange(
  { property, from, to }: Extract<TriggerConfig, { type: 'property_changed' }>,
  event: HeardEvent,
) {
  const changes = (event.data.changes ?? {}) as Changes
  const name = Object.keys(changes).find(
    (key) => key === property || key.toLowerCase() === `properties.${property.toLowerCase()}`,
  )
  if (name === undefined) return false
  const change = changes[name]
  return isValue(from, change?.from) && isValue(to, change?.to)
}

/** Texts compare regardless of case, as in segments. */
function isValue(wanted: unknown, value: unknown): boolean {
  if (wanted === undefined) return true
  return String(wanted).toLowerCase() === String(value ?? '').toLowerCase()
}

function fits(
  {
    campaign_id: campaignId,
    template_id: templateId,
    tag,
  }: {
    campaign_id?: string
    template_id?: string
    tag?: { name: string; value?: string }
  },
  event: HeardEvent,
): boolean {
  if (campaignId !== undefined && event.campaignId !== campaignId) return false
  if (templateId !== undefined && event.data.template_id !== templateId) return false
  if (tag === undefined) return true
  const tags = (event.data.tags ?? {}) as Record<string, string>
  return Object.hasOwn(tags, tag.name) && (tag.value === undefined || tags[tag.name] === tag.value)
}

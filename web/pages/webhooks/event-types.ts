import type { SentEventType } from '../../../src/events/catalogue.ts'

/** A description of each event that an endpoint can subscribe to. The compiler checks it against the catalogue. */
const WORDS: Readonly<Record<SentEventType, string>> = {
  'email.queued': 'Accepted',
  'email.scheduled': 'Scheduled',
  'email.sent': 'Accepted by a relay',
  'email.delivered': 'Delivered',
  'email.delivery_delayed': 'Deferred, will be retried',
  'email.bounced': 'Bounced',
  'email.failed': 'Failed',
  'email.rejected': 'Rejected for its content',
  'email.suppressed': 'Not sent: suppressed',
  'email.canceled': 'Canceled',
  'email.complained': 'Reported as spam',
  'email.opened': 'Opened',
  'email.clicked': 'Clicked',
  'contact.created': 'Contact added',
  'contact.updated': 'Contact changed',
  'contact.deleted': 'Contact deleted',
  'contact.unsubscribed': 'Contact unsubscribed',
  'contact.list_joined': 'Contact joined a list',
  'contact.list_left': 'Contact left a list',
  'contact.event': 'Event reported by your application',
  'domain.created': 'Domain added',
  'domain.verified': 'Domain verified',
  'domain.failed': 'Domain failed',
  'domain.deleted': 'Domain deleted',
  'suppression.added': 'Address suppressed',
  'suppression.removed': 'Suppression removed',
  'campaign.started': 'Campaign started',
  'campaign.paused': 'Campaign paused',
  'campaign.resumed': 'Campaign resumed',
  'campaign.sent': 'Campaign sent',
  'campaign.canceled': 'Campaign canceled',
  'webhook.disabled': 'Webhook disabled',
  'team.paused': 'Sending paused',
  'team.resumed': 'Sending resumed',
}

/** Grouped by the first word of the event type, as options of a select. */
export const EVENT_CHOICES = Object.entries(
  Object.groupBy(Object.keys(WORDS) as SentEventType[], (type) => type.split('.')[0] ?? ''),
).map(([group, types]) => ({
  group: group.charAt(0).toUpperCase() + group.slice(1),
  items: (types ?? []).map((type) => ({ value: type, label: `${type} · ${WORDS[type]}` })),
}))

import type { AuditEntry } from '../../api/records.ts'

/** Groups of actions for the filter. A trailing dot matches every action with this prefix. */
export const ACTION_GROUPS: readonly { value: string; label: string }[] = [
  { value: 'api-keys.', label: 'API keys' },
  { value: 'automations.', label: 'Automations' },
  { value: 'campaigns.', label: 'Campaigns' },
  { value: 'contacts.', label: 'Contacts' },
  { value: 'domains.', label: 'Domains' },
  { value: 'emails.', label: 'Emails' },
  { value: 'lists.', label: 'Lists' },
  { value: 'properties.', label: 'Properties' },
  { value: 'retention.', label: 'Retention' },
  { value: 'segments.', label: 'Segments' },
  { value: 'senders.', label: 'Senders' },
  { value: 'suppressions.', label: 'Suppressions' },
  { value: 'team.', label: 'Team and members' },
  { value: 'template-folders.', label: 'Template folders' },
  { value: 'templates.', label: 'Templates' },
  { value: 'webhooks.', label: 'Webhooks' },
]

const PAST: Readonly<Record<string, string>> = {
  create: 'created',
  update: 'changed',
  delete: 'deleted',
  publish: 'published',
  duplicate: 'duplicated',
  verify: 'checked',
  cancel: 'cancelled',
  erase: 'erased',
  import: 'imported',
  replay: 'replayed',
  restore: 'restored',
  resend: 'sent again',
  send: 'sent',
  pause: 'paused',
  resume: 'resumed',
  retry: 'retried',
  test: 'tested',
  rotate: 'rotated',
  add: 'added',
  remove: 'removed',
}

/** Describes an action: `template-folders.create` becomes "Template folders: created". */
export function describeAction(action: string): string {
  const words = action.split('.')
  const verb = words.pop() ?? ''
  const thing = words.join(' ').replaceAll('-', ' ')
  const label = thing.replace(/^api\b/, 'API')
  const subject = label.charAt(0).toUpperCase() + label.slice(1)
  return `${subject}: ${PAST[verb] ?? verb.replaceAll('-', ' ')}`
}

export function describeActor({ type, name }: AuditEntry['actor']): string {
  if (name !== null) return name
  return { key: 'A deleted key', user: 'A former user', operator: 'The command line' }[type] ?? type
}

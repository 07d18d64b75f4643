import type { AuditEntry } from '../../api/records.ts'
import { texts } from './texts.ts'

/** Groups of actions for the filter. A trailing dot matches every action with this prefix. */
export const ACTION_GROUPS: readonly { value: string; label: string }[] = [
  { value: 'api-keys.', label: texts.words.apiKeys },
  { value: 'automations.', label: texts.words.automations },
  { value: 'campaigns.', label: texts.words.campaigns },
  { value: 'contacts.', label: texts.words.contacts },
  { value: 'domains.', label: texts.words.domains },
  { value: 'emails.', label: texts.words.emails },
  { value: 'lists.', label: texts.words.lists },
  { value: 'properties.', label: texts.words.properties },
  { value: 'retention.', label: texts.words.retention },
  { value: 'segments.', label: texts.words.segments },
  { value: 'senders.', label: texts.words.senders },
  { value: 'suppressions.', label: texts.words.suppressions },
  { value: 'team.', label: texts.words.teamAndMembers },
  { value: 'template-folders.', label: texts.words.templateFolders },
  { value: 'templates.', label: texts.words.templates },
  { value: 'webhooks.', label: texts.words.webhooks },
]

const PAST: Readonly<Record<string, string>> = texts.words.past

/** Describes an action: `template-folders.create` becomes "Template folders: created". */
export function describeAction(action: string): string {
  const words = action.split('.')
  const verb = words.pop() ?? ''
  const thing = words.join(' ').replaceAll('-', ' ')
  const named = thing.replace(/^api\b/, 'API')
  const subject = named.charAt(0).toUpperCase() + named.slice(1)
  return `${subject}: ${PAST[verb] ?? verb.replaceAll('-', ' ')}`
}

export function describeActor({ type, name }: AuditEntry['actor']): string {
  if (name !== null) return name
  return (
    { key: 'A deleted key', user: texts.words.aFormerUser, operator: texts.words.theCommandLine }[type] ??
    type
  )
}

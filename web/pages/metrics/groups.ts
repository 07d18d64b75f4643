import { showProvider } from '../../ui/metrics/providers.ts'
import { readTagKey, showTag } from '../../ui/tags.ts'

/** The properties by which the metrics can be broken down. */
export const GROUPINGS = [
  { value: 'provider', label: 'Mailbox provider' },
  { value: 'domain', label: 'Domain' },
  { value: 'template', label: 'Template' },
  { value: 'tag', label: 'Tag' },
  { value: 'hours', label: 'Hour of the week' },
] as const

export type Grouping = (typeof GROUPINGS)[number]['value']

/** Returns the name of a group for people. */
export function nameOfGroup(by: string, key: string, name: string | null): string {
  if (name !== null) return name
  if (key === '*') return 'All others'
  if (by === 'provider') return showProvider(key)
  return by === 'tag' ? showTag(readTagKey(key)) : 'Deleted'
}

/** The parameter of the page's address, and of the API, that selects a group. */
export const FILTER_OF = {
  provider: 'provider',
  domain: 'domain_id',
  template: 'template_id',
  tag: 'tag',
} as const

import { showProvider } from '../../ui/metrics/providers.ts'
import { readTagKey, showTag } from '../../ui/tags.ts'
import { texts } from './texts.ts'

/** The properties by which the metrics can be broken down. */
export const GROUPINGS = [
  { value: 'provider', label: texts.groups.mailboxProvider },
  { value: 'domain', label: texts.groups.domain },
  { value: 'template', label: texts.groups.template },
  { value: 'tag', label: texts.groups.tag },
  { value: 'hours', label: texts.groups.hourOfTheWeek },
] as const

export type Grouping = (typeof GROUPINGS)[number]['value']

/** Returns the name of a group for people. */
export function nameOfGroup(by: string, key: string, name: string | null): string {
  if (name !== null) return name
  if (key === '*') return texts.groups.allOthers
  if (by === 'provider') return showProvider(key)
  return by === 'tag' ? showTag(readTagKey(key)) : texts.groups.deleted
}

/** The parameter of the page's address, and of the API, that selects a group. */
export const FILTER_OF = {
  provider: 'provider',
  domain: 'domain_id',
  template: 'template_id',
  tag: 'tag',
} as const

import { ApiError } from '../../api/errors.ts'
import type { Campaign } from '../../api/records.ts'

type Audience = Campaign['audience']
type Item = Audience['include'][number]

/** A list or segment as the value of a choice: its kind and its id, with a colon between. */
export interface AudienceDraft {
  include: string[]
  exclude: string[]
}

export const SIDES = ['include', 'exclude'] as const

export function audienceDraftOf({ include, exclude }: Audience): AudienceDraft {
  return { include: include.map(choiceOf), exclude: exclude.map(choiceOf) }
}

const choiceOf = ({ list_id, segment_id }: Item) =>
  list_id === undefined ? `segment:${segment_id}` : `list:${list_id}`

export function audienceOf({ include, exclude }: AudienceDraft): Audience {
  return { include: include.map(itemOf), exclude: exclude.map(itemOf) }
}

function itemOf(value: string): Item {
  const [kind, id = ''] = value.split(':')
  return kind === 'list' ? { list_id: id } : { segment_id: id }
}

/**
 * Returns the sides that differ from those that the form began with; undefined if none does. The API keeps the others, even if
 * something that they name was deleted since, or somebody else changed them.
 */
export function changedAudience(draft: AudienceDraft, before: AudienceDraft): Partial<Audience> | undefined {
  const audience = audienceOf(draft)
  const changedSides = SIDES.filter((side) => draft[side].join() !== before[side].join())
  if (changedSides.length === 0) return undefined
  return Object.fromEntries(changedSides.map((side) => [side, audience[side]]))
}

/** Returns the fields of an error that are about the audience, each with the side that shows it. */
export function audienceFields(error: unknown): Record<string, (typeof SIDES)[number]> {
  const fields = error instanceof ApiError ? Object.keys(error.fields) : []
  const ofAudience = fields.filter((field) => /^audience\b|^(?:list|segment)_id$/.test(field))
  return Object.fromEntries(
    ofAudience.map((field) => [field, field.startsWith('audience.exclude') ? 'exclude' : 'include']),
  )
}

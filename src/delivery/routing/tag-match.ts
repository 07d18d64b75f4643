import Type from 'typebox'
import type { EmailTag } from '../../queue/types.ts'

/** A tag condition of a rule: a name, or a name and value. Values that no email can carry are rejected. */
export const TagText = Type.String({
  pattern: '^[A-Za-z0-9_-]{1,256}(=[A-Za-z0-9_-]{1,256})?$',
  description: 'a tag as name or name=value, of letters, digits, underscores and hyphens',
})

export interface TagMatch {
  name: string
  /** Null: any value. */
  value: string | null
}

/** @param text in the form of `TagText` */
export function readTagMatch(text: string): TagMatch {
  const equals = text.indexOf('=')
  return equals < 0
    ? { name: text, value: null }
    : { name: text.slice(0, equals), value: text.slice(equals + 1) }
}

export function bearsTag(tags: readonly EmailTag[], wanted: TagMatch): boolean {
  return tags.some(
    ({ name, value }) => name === wanted.name && (wanted.value === null || wanted.value === value),
  )
}

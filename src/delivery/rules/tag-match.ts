import Type from 'typebox'
import type { EmailTag } from '../../queue/types.ts'

const CHARACTER = '[^=%\\u0000-\\u001f\\u007f]|%[2-7][0-9A-Fa-f]'

/**
 * A tag condition of a rule: a name, or a name and value. Percent-encoding (RFC 3986) may stand for ASCII characters.
 * Values that no email can carry are rejected.
 */
export const TagText = Type.String({
  pattern: `^(${CHARACTER}){1,256}(=(${CHARACTER}){0,256})?$`,
  description:
    'a tag as name or name=value, where %3D stands for an equals sign and %25 for a percent sign in either',
})

export interface TagMatch {
  name: string
  /** Null: any value. */
  value: string | null
}

/** @param text in the form of `TagText` */
export function readTagMatch(text: string): TagMatch {
  const [name = '', value] = text.split('=').map(decodeURIComponent)
  return { name, value: value ?? null }
}

export function bearsTag(tags: readonly EmailTag[], match: TagMatch): boolean {
  return tags.some(
    ({ name, value }) => name === match.name && (match.value === null || match.value === value),
  )
}

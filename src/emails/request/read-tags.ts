import { invalidField } from '../../lib/api-error.ts'
import { isLongerThan } from '../../lib/text/is-longer-than.ts'
import { readWords } from '../../mime/joined-words.ts'
import type { EmailTag } from '../../queue/types.ts'
import type { Refuse } from '../validate/read-addresses.ts'

/** A tag in a request. A text is the name of a tag with an empty value. */
export type GivenTag = string | { name: string; value?: string }

const COUNT_MAX = 20
const CHARS_MAX = 256
const NEITHER = /[\p{Cc}\p{Cs}]/u

/** Returns what is wrong with a tag, as the end of a sentence about its name or value, or null. */
function findProblem({ name, value }: EmailTag): { part: keyof EmailTag; problem: string } | null {
  const range = { name: `1 to ${CHARS_MAX}`, value: `0 to ${CHARS_MAX}` }
  for (const [part, text] of [['name', name] as const, ['value', value] as const]) {
    const hasLength = !isLongerThan(text, CHARS_MAX) && (part === 'value' || text !== '')
    if (hasLength && !NEITHER.test(text)) continue
    return { part, problem: `must be ${range[part]} characters without control characters.` }
  }
  return null
}

/** Reads the tags of a request whose shape is valid. Reports every problem to `refuse`. */
export function readEmailTags(items: readonly GivenTag[], refuse: Refuse): EmailTag[] {
  return items.map((item, index) => {
    const tag =
      typeof item === 'string' ? { name: item, value: '' } : { name: item.name, value: item.value ?? '' }
    const issue = findProblem(tag)
    if (issue !== null) {
      const path = typeof item === 'string' ? `tags.${index}` : `tags.${index}.${issue.part}`
      refuse(path, `The ${path} field ${issue.problem}`)
    }
    return tag
  })
}

/**
 * Reads the tags from header fields of a submitted message. Throws ApiError (422).
 * @param single values of fields with one tag, `name=value`, whose value may contain anything
 * @param lists values of fields with tags between commas, in which percent-encoding may stand for any character
 */
export function readTagFields(single: readonly string[], lists: readonly string[]): EmailTag[] {
  const tags = [
    ...single.map((text) => divide(readWords(text), (part) => part)),
    ...lists.flatMap((text) =>
      readWords(text)
        .split(',')
        .map((item) => divide(item, decodeTag)),
    ),
  ]
  if (tags.length > COUNT_MAX) {
    throw invalidField('tags', `The tags field must not have more than ${COUNT_MAX} items.`)
  }
  return tags
}

function divide(text: string, decode: (part: string) => string | null): EmailTag {
  const [name = '', value = ''] = text.split(/=(.*)/s).map((part) => decode(part.trim()))
  const tag = name === null || value === null ? null : { name, value }
  if (tag !== null && findProblem(tag) === null) return tag
  throw invalidField(
    'tags',
    `A tag must be name=value: a name of 1 to ${CHARS_MAX} characters and a value of at most ${CHARS_MAX}, without control characters. In X-Sendwright-Tags, write a comma as %2C, an equals sign as %3D, and a percent sign as %25.`,
  )
}

/** Decodes the percent-encoding (RFC 3986) of a tag's name or value, or returns null if it is invalid. */
function decodeTag(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

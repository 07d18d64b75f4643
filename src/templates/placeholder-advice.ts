import { VARIABLE_KEY } from './render-template.ts'

/** The forms of text that could be a placeholder (placeholder-warnings.ts). */
export type Form =
  | 'closed'
  | 'half'
  | 'open'
  | 'unopened'
  | 'spaced'
  | 'tag'
  | 'merge'
  | 'percent'
  | 'square'
  | 'dollar'

const KEY_CHARS_MAX = 64
const KEY = new RegExp(`^${VARIABLE_KEY}$`)
/** A longer text in braces is prose or code. */
const INSIDE_CHARS_MAX = 200

const WORD = "[\\p{L}\\p{N}_$@'-]+"
/** `user.first-name`, `items[0].name`, `../name`, `.Name`, `$json.name`. */
const PATH = `(?:\\.\\.?/)*\\.?${WORD}(?:(?:\\.|/)${WORD}|\\[[^\\]]*\\])*`
const STRING = '(?:"[^"]*"|\'[^\']*\')'
const ARGUMENT = `(?:[\\w-]+=${PATH}|(?:[\\w-]+=)?(?:${STRING}|\\([^()]*\\)))`

/** What other template languages write between two braces, and what to do instead. The first match counts. */
interface Kind {
  pattern: RegExp
  advice(name: string): string
  /** Whether a script or a style sheet can contain it for another reason. */
  isAlsoCode?: true
}

const HELPERS = 'There are no helpers and no expressions: format the value in your program.'
const BLOCKS =
  'There are no conditions and no loops: build this part in your program, and pass it as {{{KEY}}}.'
const FILTERS = 'There are no filters. A fallback has three braces: {{{KEY|fallback}}}.'
const TAGS = 'There are no tags: put the content here, or pass it as {{{KEY}}}.'
const COMMENTS = 'There are no comments: remove it.'

const patternOf = (source: string) => new RegExp(`^(?:${source})$`, 'u')

const KINDS: readonly Kind[] = [
  { pattern: patternOf(`[#^/]\\s*[*@]?${PATH}.*`), advice: () => BLOCKS },
  {
    pattern: patternOf('(?:else\\s+if|elseif|elsif|if|unless|each|for|range|with)\\s+\\S.*'),
    advice: () => BLOCKS,
    isAlsoCode: true,
  },
  {
    pattern: patternOf(`>\\s*(?:${PATH}|${STRING}|\\().*`),
    advice: () => 'There are no partials: put the content here.',
  },
  { pattern: patternOf('!.*'), advice: () => COMMENTS, isAlsoCode: true },
  {
    pattern: patternOf(`&\\s*${PATH}`),
    advice: (name) => `A value that is not escaped has three braces: {{{${name}}}}.`,
  },
  { pattern: patternOf(`(?:${PATH}|${STRING})\\s*\\|\\s*[\\p{L}_].*`), advice: () => FILTERS },
  {
    pattern: patternOf(`(?:pm|var|data|mj):\\s*${PATH}.*`),
    advice: (name) => `A name is enough: {{${name}}}.`,
  },
  {
    pattern: patternOf(`(?=.*\\p{L}|\\d+$)${PATH}`),
    advice: (name) =>
      `A name has up to 64 letters (A to Z), digits and underscores, and does not begin with a digit: {{${name}}}.`,
  },
  {
    pattern: patternOf(`(?=.*\\p{L})${WORD}(?:\\s+${WORD}){1,3}`),
    advice: (name) => `A name has no spaces: {{${name}}}.`,
    isAlsoCode: true,
  },
  {
    pattern: patternOf(
      `${PATH}\\s*\\(.*\\)|${PATH}(?:\\s+${PATH}){0,3}(?:\\s+${ARGUMENT}){1,8}|${PATH}\\s*(?:[?+*]|[!=]=|&&|\\|\\|| [-/<>]=? ).*`,
    ),
    advice: () => HELPERS,
    isAlsoCode: true,
  },
]

/**
 * Returns what to write instead of a text; null if nobody meant it as a placeholder.
 * @param isCode within a style sheet or a script, where braces have other purposes
 */
export function adviseOn(form: Form, text: string, isCode: boolean): string | null {
  if (form === 'closed') return adviseOnBraces(text.replaceAll(/^\{+|\}+$/g, ''), isCode)
  if (form === 'tag') return adviseOnTag(text)
  if (isCode && form !== 'merge' && form !== 'percent') return null
  if (form === 'half' || form === 'open') return adviseOnUnclosed(text)
  const name = suggestName(text)
  if (form === 'unopened') return `A placeholder begins with two braces: {{${name}}}.`
  if (form === 'spaced') return `There is no space between the braces of a placeholder: {{${name}}}.`
  return /^\*\|(?:IF|IFNOT|ELSE|ELSEIF|END)\b/.test(text) ? BLOCKS : `A placeholder has braces: {{${name}}}.`
}

function adviseOnBraces(inside: string, isCode: boolean): string | null {
  if (inside.length > INSIDE_CHARS_MAX) return null
  // In Handlebars and Liquid, `~` and `-` remove the white space around a placeholder.
  const content = inside.replaceAll(/\s+/g, ' ').replaceAll(/^[~-]|[~-]$/g, '')
  const plain = content.replaceAll(/<[^<>]*>|&nbsp;/g, '').trim()
  if (KEY.test(plain)) return `The braces contain more than the name, maybe markup: {{${plain}}}.`
  const kind = KINDS.find((one) => !(isCode && one.isAlsoCode) && one.pattern.test(plain))
  return kind?.advice(suggestName(plain)) ?? null
}

function adviseOnUnclosed(text: string): string | null {
  const inside = text.replaceAll(/^\{+|\}$/g, '').trim()
  if (/^[A-Za-z_]\w*\s*\|/.test(inside)) {
    return 'A fallback has three braces on both sides, and none inside: {{{KEY|fallback}}}.'
  }
  // A function in a text may begin with two braces too, so that only what has no other reading counts.
  if (!KEY.test(inside) && adviseOnBraces(inside, true) === null) return null
  const name = suggestName(inside)
  return `Closing braces are missing: {{${name}}}.`
}

function adviseOnTag(text: string): string | null {
  if (text.startsWith('{#')) return COMMENTS
  if (!text.startsWith('{%')) return `A placeholder has braces: {{${suggestName(text)}}}.`
  const word = /^\{%[-+]?\s*([a-z_]+)/i.exec(text)?.[1]
  if (word === undefined) return null
  return /^(?:assign|capture|set|include|render|extends|block|macro|import)$/i.test(word) ? TAGS : BLOCKS
}

const FOREIGN_WORDS = /^(?:insert|php|var|data|recipient|pm|mj|this)\b[\s.:]*(?=\w)/i

/** Makes a name of a variable of another name: `user.first-name` becomes `user_first_name`. */
function suggestName(text: string): string {
  const [name = ''] = /[\p{L}\p{N}_].*/su.exec(text) ?? []
  const [words = ''] = /^[\p{L}\p{N}_ .\-[\]]*/u.exec(name.replace(FOREIGN_WORDS, '')) ?? []
  // Cut first: the search for `_` at the end tries each of them.
  const key = words
    .slice(0, 2 * KEY_CHARS_MAX)
    .replaceAll(/[^A-Za-z0-9_]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
  if (key === '') return 'NAME'
  return (/^\d/.test(key) ? `_${key}` : key).slice(0, KEY_CHARS_MAX)
}

import { adviseOn, type Form } from './placeholder-advice.ts'
import { PLACE, TEMPLATE_PARTS, type TemplatePart, type TemplateSource } from './render-template.ts'

/** A text that looks like a placeholder but is not one, so that emails show it unchanged. */
export interface TemplateWarning {
  part: TemplatePart
  /** From 1. */
  line: number
  /** In UTF-16 code units, from 1. */
  column: number
  message: string
}

/** Maximum number of texts that are named. One more warning counts the rest. */
export const WARNING_COUNT_MAX = 50
/**
 * Maximum number of candidates that are examined in all parts. Each takes up to 20 µs, and templates are read while other
 * requests wait.
 */
const CANDIDATE_COUNT_MAX = 1_000
const SHOWN_CHARS_MAX = 60

const NAME = '[\\p{L}_][\\p{L}\\p{N}_.-]*'
/** What follows a name that no brace closes. */
const BOUNDARY = '(?=[\\s<,;:!?)"\']|$)'

/**
 * The forms of candidates, in the order in which they are tried. None goes on past the characters that it begins with, so
 * that no text is scanned from more than a few starting points.
 */
const FORMS: readonly (readonly [Form | 'code', string])[] = [
  ['code', '<(?:style|script)\\b'],
  ['closed', '\\{\\{\\{[^{}]+\\}\\}\\}|\\{\\{[^{}]+\\}\\}'],
  ['half', '\\{{2,3}[^{}\\r\\n]+\\}(?!\\})'],
  ['open', `\\{{2,3}[#/^>&!]?${NAME}(?:\\s*\\|[^{}<\\r\\n]*|${BOUNDARY})`],
  ['unopened', '(?<!\\{)\\{\\s*[a-z_]\\w*\\s*\\}\\}(?!\\})'],
  ['spaced', '\\{\\s+\\{\\s*[a-z_]\\w*\\s*\\}\\s+\\}'],
  ['tag', '\\{%[^{}%]+%\\}|\\{#\\s[^{}#]*#\\}|<%[^%<>]+%>|<\\?(?:=|php\\b)[^<?]*\\?>'],
  ['merge', '\\*\\|[a-z][^|*\\r\\n]*\\|\\*|(?<![\\d%])%%=?[a-z_@][^%\\r\\n]*%%'],
  ['percent', '%(?:recipient(?:\\.\\w+)?|unsubscribe_url|mailing_list_unsubscribe_url)%'],
  ['square', '\\[\\[(?:data|var):[^[\\]]+\\]\\]|\\[\\w+,\\s*fallback=[^[\\]]*\\]'],
  ['dollar', `\\$\\{${NAME}\\}|\\{\\$${NAME}\\}|\\{!\\w+\\.[\\w.]+\\}`],
]

/** The groups of `PLACE` come first. */
const PLACE_GROUPS = 3
/** Matches a placeholder, or a candidate. Named groups would cost more than the search. */
const CANDIDATE = new RegExp(
  // Nothing begins with four braces. Asking first is what makes a long run of them fast.
  `(?!\\{{4})(?:${[PLACE, ...FORMS.map(([, pattern]) => `(${pattern})`)].join('|')})`,
  'giu',
)

const CODE_END = /<\/(?:style|script)\b/gi

/**
 * Finds texts that look like placeholders but are sent unchanged, in the order of the parts. Text in braces that is not
 * meant as a placeholder is not reported. The time is linear in the length of the source, and the number of texts that are
 * examined is bounded.
 */
export function findWarnings(source: Omit<TemplateSource, 'variables'>): TemplateWarning[] {
  const warnings: TemplateWarning[] = []
  const budget: Budget = { candidatesLeft: CANDIDATE_COUNT_MAX }
  let more = 0
  for (const part of TEMPLATE_PARTS) {
    const text = source[part] ?? ''
    const positionAt = positionCounter(text)
    for (const { index, shown, advice } of findUnfilled(text, budget)) {
      if (warnings.length > WARNING_COUNT_MAX) more++
      else
        warnings.push({
          part,
          ...positionAt(index),
          message: `${shown} is not a placeholder and is sent unchanged. ${advice}`,
        })
    }
  }
  const last = warnings[WARNING_COUNT_MAX]
  if (last !== undefined) last.message = countRest(more + 1, budget)
  return warnings
}

function countRest(count: number, { candidatesLeft }: Budget): string {
  const number = candidatesLeft < 0 ? `At least ${count}` : count
  if (count === 1 && candidatesLeft >= 0) return '1 more text is not a placeholder and is sent unchanged.'
  return `${number} more texts from here on are not placeholders and are sent unchanged.`
}

/** What remains for all parts; below 0 if there were more candidates than that. */
interface Budget {
  candidatesLeft: number
}

interface Unfilled {
  index: number
  shown: string
  advice: string
}

function* findUnfilled(source: string, budget: Budget): Generator<Unfilled> {
  let codeEnd = 0
  for (const match of source.matchAll(CANDIDATE)) {
    const form = formOf(match)
    if (form === null) continue
    if (--budget.candidatesLeft < 0) return
    const { 0: text, index } = match
    if (form !== 'code') {
      const advice = adviseOn(form, text, index < codeEnd)
      if (advice !== null) yield { index, shown: shorten(text), advice }
    } else if (index >= codeEnd) codeEnd = endOfCode(source, index)
  }
}

/** Returns null for a placeholder. */
function formOf(match: RegExpExecArray): Form | 'code' | null {
  const place = FORMS.findIndex((_, at) => match[PLACE_GROUPS + 1 + at] !== undefined)
  return FORMS[place]?.[0] ?? null
}

function endOfCode(source: string, from: number): number {
  CODE_END.lastIndex = from
  return CODE_END.exec(source)?.index ?? source.length
}

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length > SHOWN_CHARS_MAX ? `${line.slice(0, SHOWN_CHARS_MAX)}…` : line
}

/** Returns a function from an index to its position. Indexes must ascend, so that the text is scanned only once. */
function positionCounter(source: string): (index: number) => { line: number; column: number } {
  let line = 1
  let start = 0
  return (index) => {
    for (
      let end = source.indexOf('\n', start);
      end !== -1 && end < index;
      end = source.indexOf('\n', start)
    ) {
      line++
      start = end + 1
    }
    return { line, column: index - start + 1 }
  }
}

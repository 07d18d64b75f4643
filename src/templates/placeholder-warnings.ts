import { adviseOn, type Form } from './placeholder-advice.ts'
import { PLACE, TEMPLATE_PARTS, type TemplatePart, type TemplateSource } from './render-template.ts'

/** A text that was meant as a placeholder and is none, so that emails show it as it is. */
export interface TemplateWarning {
  part: TemplatePart
  /** From 1. */
  line: number
  /** In UTF-16 units, from 1. */
  column: number
  message: string
}

/** Maximum number of texts that are named. One more warning counts the rest. */
export const WARNING_COUNT_MAX = 50
/** Maximum number of candidates that are looked at in one part. Each costs more than the text between them. */
const CANDIDATE_COUNT_MAX = 10_000
const SHOWN_CHARS_MAX = 60

const NAME = '[\\p{L}_][\\p{L}\\p{N}_.-]*'
/** What follows a name that no brace closes. */
const BOUNDARY = '(?=[\\s<,;:!?)"\']|$)'

/**
 * Matches placeholders and, before their other forms, each text that could be one. No alternative goes on past the
 * characters that it begins with, so that no text is scanned from more than a few starting points.
 */
const CANDIDATE = new RegExp(
  [
    `(?<place>${PLACE})`,
    '(?<code><(?:style|script)\\b)',
    '(?<closed>\\{\\{\\{[^{}]+\\}\\}\\}|\\{\\{[^{}]+\\}\\})',
    '(?<half>\\{{2,3}[^{}\\r\\n]+\\}(?!\\}))',
    `(?<open>\\{{2,3}[#/^>&!]?${NAME}(?:\\s*\\|[^{}<\\r\\n]*|${BOUNDARY}))`,
    '(?<unopened>(?<!\\{)\\{\\s*[a-z_]\\w*\\s*\\}\\}(?!\\}))',
    '(?<spaced>\\{\\s+\\{\\s*[a-z_]\\w*\\s*\\}\\s+\\})',
    '(?<tag>\\{%[^{}%]+%\\}|\\{#\\s[^{}#]*#\\}|<%[^%<>]+%>|<\\?(?:=|php\\b)[^<?]*\\?>)',
    '(?<merge>\\*\\|[a-z][^|*\\r\\n]*\\|\\*|(?<![\\d%])%%=?[a-z_@][^%\\r\\n]*%%)',
    '(?<percent>%(?:recipient(?:\\.\\w+)?|unsubscribe_url|mailing_list_unsubscribe_url)%)',
    '(?<square>\\[\\[(?:data|var):[^[\\]]+\\]\\]|\\[\\w+,\\s*fallback=[^[\\]]*\\])',
    `(?<dollar>\\$\\{${NAME}\\}|\\{\\$${NAME}\\}|\\{!\\w+\\.[\\w.]+\\})`,
  ].join('|'),
  'giu',
)

const CODE_END = /<\/(?:style|script)\b/gi

/**
 * Finds what looks like a placeholder and is sent as it is, in the order of the parts. Text in braces that nobody meant
 * as a placeholder is not reported. The time is linear in the length of the source.
 */
export function findWarnings(source: Omit<TemplateSource, 'variables'>): TemplateWarning[] {
  const warnings: TemplateWarning[] = []
  let more = 0
  for (const part of TEMPLATE_PARTS) {
    const text = source[part] ?? ''
    const positionAt = positionCounter(text)
    for (const { index, shown, advice } of findUnfilled(text)) {
      if (warnings.length > WARNING_COUNT_MAX) more++
      else
        warnings.push({
          part,
          ...positionAt(index),
          message: `${shown} is no placeholder, so it is sent as it is. ${advice}`,
        })
    }
  }
  const last = warnings[WARNING_COUNT_MAX]
  if (last !== undefined)
    last.message = `${more + 1} more texts from here on are no placeholders and are sent as they are.`
  return warnings
}

interface Unfilled {
  index: number
  shown: string
  advice: string
}

function* findUnfilled(source: string): Generator<Unfilled> {
  let codeEnd = 0
  let count = 0
  for (const { 0: text, index, groups } of source.matchAll(CANDIDATE)) {
    const { place, code, ...forms } = groups as Record<string, string | undefined>
    if (place !== undefined) continue
    if (++count > CANDIDATE_COUNT_MAX) return
    if (code !== undefined && index >= codeEnd) codeEnd = endOfCode(source, index)
    const [form] = Object.entries(forms).find(([, found]) => found !== undefined) ?? []
    if (form === undefined) continue
    const advice = adviseOn(form as Form, text, index < codeEnd)
    if (advice !== null) yield { index, shown: shorten(text), advice }
  }
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

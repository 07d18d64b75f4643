import { checkMarkup } from './check-markup.ts'
import { lineCounter } from './lines.ts'
import { compareVariables, findPlaces, type Variable } from './variables.ts'

/** Something that readers, or mail clients, may stumble over. */
export interface Finding {
  /** error: it does not work; warning: it does not work for some; hint: it could be better. */
  severity: 'error' | 'warning' | 'hint'
  part: 'subject' | 'html' | 'text' | 'variables'
  /** Of the part, from 1; null: all of it. */
  line: number | null
  message: string
}

interface Checked {
  subject: string
  html: string
  text: string
  variables: readonly Variable[]
  /** The html with its test values, which is what is sent; null: it could not be rendered. */
  renderedHtml: string | null
}

/** Gmail shows no more of a message's html than this, and a link to the rest. */
const CLIPPED_BYTES = 102 * 1024
const NEARLY = 0.9
/** Phones show about forty characters of a subject, wide windows about seventy. */
const SUBJECT_CHARS_MAX = 78
/** More help nobody. */
const FINDINGS_MAX = 100
const QUOTED_CHARS_MAX = 60

/** All that can be said of a template without sending it, what is worst first. */
export function checkTemplate(template: Checked): Finding[] {
  const findings = [
    ...checkSubject(template.subject),
    ...checkSize(template),
    ...checkText(template),
    ...(template.html === '' ? [] : checkMarkup(template.html)),
    ...checkBraces('subject', template.subject),
    ...checkBraces('html', template.html),
    ...checkBraces('text', template.text),
    ...checkVariables(template),
  ]
  const order = ['error', 'warning', 'hint']
  return findings
    .toSorted((one, other) => order.indexOf(one.severity) - order.indexOf(other.severity))
    .slice(0, FINDINGS_MAX)
}

function checkSubject(subject: string): Finding[] {
  const at = { part: 'subject', line: null } as const
  if (subject.trim() === '') return [{ ...at, severity: 'error', message: 'There is no subject.' }]
  if (subject.length <= SUBJECT_CHARS_MAX) return []
  return [
    {
      ...at,
      severity: 'hint',
      message: `The subject is cut in most inboxes: it has ${subject.length} characters.`,
    },
  ]
}

function checkSize({ html, renderedHtml }: Checked): Finding[] {
  const bytes = new TextEncoder().encode(renderedHtml ?? html).length
  if (bytes < CLIPPED_BYTES * NEARLY) return []
  const size = `The html has ${(bytes / 1024).toFixed(1)} KB; Gmail cuts what is beyond 102 KB`
  const at = { part: 'html', line: null } as const
  return bytes > CLIPPED_BYTES
    ? [{ ...at, severity: 'warning', message: `${size}, and hides the rest behind a link.` }]
    : [{ ...at, severity: 'hint', message: `${size}: little room is left.` }]
}

function checkText({ html, text }: Checked): Finding[] {
  if (html === '' && text === '')
    return [{ severity: 'error', part: 'html', line: null, message: 'There is neither html nor text.' }]
  if (text !== '') return []
  const message = 'There is no text of its own: it is made from the html. One that is written reads better.'
  return [{ severity: 'hint', part: 'text', line: null, message }]
}

/** Braces that look like a variable and are none: they are sent as they stand. */
function checkBraces(part: 'subject' | 'html' | 'text', source: string): Finding[] {
  const places = new Map(findPlaces(source).map(({ index, length }) => [index, length]))
  const findings: Finding[] = []
  const lineAt = lineCounter(source)
  let index = source.indexOf('{{')
  while (index !== -1 && findings.length < FINDINGS_MAX) {
    // Of `{{{{NAME}}}}` the place begins within.
    const length = places.get(index) ?? places.get(index + 1)
    if (length === undefined)
      findings.push({
        severity: 'warning',
        part,
        line: lineAt(index),
        message: describeBraces(source, index),
      })
    const end = source.indexOf('}}', index)
    const isClosed = length === undefined && end !== -1 && !source.slice(index + 2, end).includes('\n')
    index = source.indexOf('{{', length === undefined ? (isClosed ? end + 2 : index + 2) : index + length)
  }
  return findings
}

function describeBraces(source: string, index: number): string {
  const [line = ''] = source.slice(index, index + QUOTED_CHARS_MAX).split('\n')
  const end = line.indexOf('}}')
  if (end === -1) return `${line.slice(0, 24)} … is not closed: it is sent as it stands.`
  return `${line.slice(0, end + 2)} is no variable: it is sent as it stands. Names are letters, digits and underscores.`
}

function checkVariables(template: Checked): Finding[] {
  const { undeclared, unused } = compareVariables(template)
  const uses = findFirstUses(template)
  const raw = findPlaces(template.html).find(({ isRaw }) => isRaw)
  const findings: Finding[] = undeclared.map((key) => ({
    severity: 'warning',
    ...(uses.get(key) ?? { part: 'variables', line: null }),
    message: `${key} is used and not described: whoever sends without it is refused.`,
  }))
  for (const key of unused)
    findings.push({
      severity: 'hint',
      part: 'variables',
      line: null,
      message: `${key} is described and not used.`,
    })
  if (raw !== undefined)
    findings.push({
      severity: 'warning',
      part: 'html',
      line: lineCounter(template.html)(raw.index),
      message: `{{{${raw.key}}}} is not escaped: give it nothing that strangers wrote.`,
    })
  return findings
}

/** Where each variable is used first. */
function findFirstUses(template: Checked): Map<string, Pick<Finding, 'part' | 'line'>> {
  const uses = new Map<string, Pick<Finding, 'part' | 'line'>>()
  for (const part of ['html', 'text', 'subject'] as const) {
    const lineAt = lineCounter(template[part])
    for (const { key, index } of findPlaces(template[part])) {
      if (!uses.has(key)) uses.set(key, { part, line: lineAt(index) })
    }
  }
  return uses
}

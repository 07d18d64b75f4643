import type { TemplatePreview } from '../../../api/records.ts'
import { checkMarkup } from './check-markup.ts'
import type { Finding } from './finding.ts'
import { lineCounter } from './lines.ts'
import { compareVariables, findPlaces, type Variable } from './variables.ts'

interface Checked {
  subject: string
  html: string
  text: string
  variables: readonly Variable[]
  /** The HTML rendered with the test values, as it would be sent; null when rendering failed. */
  renderedHtml: string | null
  /** What the server found. */
  warnings: TemplatePreview['warnings']
}

/** Gmail clips longer messages and links to the rest. */
const CLIPPED_BYTES = 102 * 1024
const NEARLY = 0.9
/** Phones show about forty characters of a subject, wide windows about seventy. */
const SUBJECT_CHARS_MAX = 78
/** A longer list is no longer readable. */
const FINDINGS_MAX = 100

/** Checks a template without sending it. Returns the most severe findings first. */
export function checkTemplate(template: Checked): Finding[] {
  const findings = [
    ...checkSubject(template.subject),
    ...checkSize(template),
    ...checkText(template),
    ...(template.html === '' ? [] : checkMarkup(template.html)),
    ...template.warnings.map(
      ({ part, line, message }): Finding => ({ severity: 'warning', part, line, message }),
    ),
    ...checkVariables(template),
  ]
  const order = ['error', 'warning', 'hint']
  return findings
    .toSorted((one, other) => order.indexOf(one.severity) - order.indexOf(other.severity))
    .slice(0, FINDINGS_MAX)
}

function checkSubject(subject: string): Finding[] {
  const at = { part: 'subject', line: null } as const
  if (subject.trim() === '') return [{ ...at, severity: 'error', message: 'The subject is missing.' }]
  if (subject.length <= SUBJECT_CHARS_MAX) return []
  return [
    {
      ...at,
      severity: 'hint',
      message: `Most inboxes cut off the subject: it has ${subject.length} characters.`,
    },
  ]
}

function checkSize({ html, renderedHtml }: Checked): Finding[] {
  const bytes = new TextEncoder().encode(renderedHtml ?? html).length
  if (bytes < CLIPPED_BYTES * NEARLY) return []
  const size = `The HTML has ${(bytes / 1024).toFixed(1)} KB. Gmail cuts messages off at 102 KB`
  const at = { part: 'html', line: null } as const
  return bytes > CLIPPED_BYTES
    ? [{ ...at, severity: 'warning', message: `${size}, and hides the rest behind a link.` }]
    : [{ ...at, severity: 'hint', message: `${size}, so little room is left.` }]
}

function checkText({ html, text }: Checked): Finding[] {
  if (html === '' && text === '')
    return [
      { severity: 'error', part: 'html', line: null, message: 'The template has neither HTML nor text.' },
    ]
  if (text !== '') return []
  const message = 'There is no text version: it is generated from the HTML. One that you write reads better.'
  return [{ severity: 'hint', part: 'text', line: null, message }]
}

function checkVariables(template: Checked): Finding[] {
  const { undeclared, unused } = compareVariables(template)
  const uses = findFirstUses(template)
  const place = findPlaces(template.html).find(({ isRaw }) => isRaw)
  const findings: Finding[] = undeclared.map((key) => ({
    severity: 'warning',
    ...(uses.get(key) ?? { part: 'variables', line: null }),
    message: `${key} is used but not declared: requests without it are rejected.`,
  }))
  for (const key of unused)
    findings.push({
      severity: 'hint',
      part: 'variables',
      line: null,
      message: `${key} is declared but not used.`,
    })
  if (place !== undefined)
    findings.push({
      severity: 'warning',
      part: 'html',
      line: lineCounter(template.html)(place.index),
      message: `{{{${place.key}}}} is not escaped: do not use it for untrusted text.`,
    })
  return findings
}

/** Returns where each variable is used first. */
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

import { convertSyntax } from './convert-syntax.ts'
import type { ForeignTemplate } from './read-templates.ts'

/** A template with the syntax of Sendwright. */
export interface ConvertedTemplate {
  place: string
  name: string
  alias: string | null
  subject: string
  html: string
  text: string
  variables: { key: string; type: 'string'; fallback_value?: string }[]
  /** What has no equal, with its part and line. The tags are still in the content. */
  problems: string[]
  /** What the program that sends must change. */
  changes: string[]
}

const PARTS = ['subject', 'html', 'text'] as const

/** Converts a template part by part. */
export function convertTemplate(template: ForeignTemplate): ConvertedTemplate {
  const { place, name, alias, fallbacks, problem } = template
  const subject = template.subject || name
  const parts = { ...template, subject }
  const converted = PARTS.map((part) => ({ part, ...convertSyntax(parts[part]) }))
  const describe = (kind: 'problems' | 'changes') =>
    converted.flatMap((each) =>
      each[kind].map(({ line, message }) => `${each.part}, line ${line}: ${message}`),
    )
  const keys = new Map<string, string | null>()
  for (const { variables } of converted) {
    for (const [key, fallback] of variables) keys.set(key, fallback ?? keys.get(key) ?? null)
  }
  return {
    place,
    name,
    alias,
    ...(Object.fromEntries(converted.map(({ part, text }) => [part, text])) as Record<
      (typeof PARTS)[number],
      string
    >),
    variables: [...keys].map(([key, fallback]) => toVariable(key, fallback ?? fallbacks.get(key) ?? null)),
    problems: [...(problem === null ? [] : [problem]), ...describe('problems')],
    changes: [
      ...(template.subject === ''
        ? ['subject: it had none, so it is the name. Each send can set another.']
        : []),
      ...new Set(describe('changes')),
    ],
  }
}

function toVariable(key: string, fallback: string | null): ConvertedTemplate['variables'][number] {
  return { key, type: 'string', ...(fallback === null ? {} : { fallback_value: fallback }) }
}

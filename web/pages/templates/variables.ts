import type { Template } from '../../api/records.ts'

export interface Variable {
  key: string
  type: 'string' | 'number'
  /** Null: it must be given whenever the template is used. */
  fallback: string | null
}

export type Values = Readonly<Record<string, string>>

/** As the server reads them (src/templates/render-template.ts); a test holds this one to it. */
const PLACE = /\{\{\{\s*([A-Za-z_][A-Za-z0-9_]{0,63})\s*\}\}\}|\{\{\s*([A-Za-z_][A-Za-z0-9_]{0,63})\s*\}\}/g
export const VARIABLE_COUNT_MAX = 200

/** Where a variable stands in a text. */
export interface Place {
  key: string
  index: number
  length: number
  /** `{{{KEY}}}`: not escaped in html. */
  isRaw: boolean
}

export function findPlaces(source: string): Place[] {
  return [...source.matchAll(PLACE)].map((match) => ({
    key: (match[1] ?? match[2]) as string,
    index: match.index,
    length: match[0].length,
    isRaw: match[1] !== undefined,
  }))
}

interface Content {
  subject: string
  html: string
  text: string
  variables: readonly Variable[]
}

/** The variables that a template uses, each once, in order of use. */
export function usedKeys({ subject, html, text }: Pick<Content, 'subject' | 'html' | 'text'>): string[] {
  return [...new Set([subject, html, text].flatMap((part) => findPlaces(part).map(({ key }) => key)))]
}

/** What is used and not described, and what is described and not used. */
export function compareVariables(content: Content): { undeclared: string[]; unused: string[] } {
  const used = usedKeys(content)
  const declared = new Set(content.variables.map(({ key }) => key))
  return {
    undeclared: used.filter((key) => !declared.has(key)),
    unused: [...declared].filter((key) => key !== '' && !used.includes(key)),
  }
}

export function readVariables(variables: Template['variables']): Variable[] {
  return variables.map(({ key, type, fallback_value }) => ({
    key,
    type: type === 'number' ? 'number' : 'string',
    fallback: fallback_value,
  }))
}

/** As requests write them. */
export const variablesToJson = (variables: readonly Variable[]) =>
  variables.map(({ key, type, fallback }) => ({ key, type, fallback_value: fallback }))

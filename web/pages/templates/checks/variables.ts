import type { Template } from '../../../api/records.ts'

export interface Variable {
  key: string
  type: 'string' | 'number'
  /** Null when every request must give a value. */
  fallback: string | null
}

export type Values = Readonly<Record<string, string>>

/** Matches variables as the server does (src/templates/render-template.ts). A test compares the two. */
const PLACE =
  /\{\{\{\s*([A-Za-z_][A-Za-z0-9_]{0,63})\s*(\|[^{}]*)?\}\}\}|\{\{\s*([A-Za-z_][A-Za-z0-9_]{0,63})\s*\}\}/g
export const VARIABLE_COUNT_MAX = 200

/** A variable in a text. */
export interface Place {
  key: string
  index: number
  length: number
  /** `{{{KEY}}}`, which is not escaped in HTML. */
  isRaw: boolean
  /** `{{{KEY|fallback}}}`, which needs no value. */
  hasFallback: boolean
}

export function findPlaces(source: string): Place[] {
  return [...source.matchAll(PLACE)].map((match) => ({
    key: (match[1] ?? match[3]) as string,
    index: match.index,
    length: match[0].length,
    isRaw: match[1] !== undefined,
    hasFallback: match[2] !== undefined,
  }))
}

interface Content {
  subject: string
  html: string
  text: string
  variables: readonly Variable[]
}

/** Returns the variables of a template, each once, in order of use. */
export function usedKeys({ subject, html, text }: Pick<Content, 'subject' | 'html' | 'text'>): string[] {
  return keysOf([subject, html, text].flatMap(findPlaces))
}

const keysOf = (places: readonly Place[]) => [...new Set(places.map(({ key }) => key))]

/**
 * Returns the variables that are used without a fallback but not declared, and those that are declared but not used.
 */
export function compareVariables(content: Content): { undeclared: string[]; unused: string[] } {
  const places = [content.subject, content.html, content.text].flatMap(findPlaces)
  const usedKeys = keysOf(places)
  const declaredKeys = new Set(content.variables.map(({ key }) => key))
  return {
    undeclared: keysOf(places.filter(({ key, hasFallback }) => !hasFallback && !declaredKeys.has(key))),
    unused: [...declaredKeys].filter((key) => key !== '' && !usedKeys.includes(key)),
  }
}

export function readVariables(variables: Template['variables']): Variable[] {
  return variables.map(({ key, type, fallback_value }) => ({
    key,
    type: type === 'number' ? 'number' : 'string',
    fallback: fallback_value,
  }))
}

/** Returns the variables as in API requests. */
export const variablesToJson = (variables: readonly Variable[]) =>
  variables.map(({ key, type, fallback }) => ({ key, type, fallback_value: fallback }))

import { type ApiError, type FieldErrors, invalidField, invalidFields } from '../lib/api-error.ts'
import type { TemplateVariable } from './templates-queries.ts'

/** Pattern of a variable's name. */
export const VARIABLE_KEY = '[A-Za-z_][A-Za-z0-9_]{0,63}'
/** Maximum number of distinct variables in a template. It also bounds the list of missing variables in an error. */
export const VARIABLE_COUNT_MAX = 200
/** Maximum number of placeholders in one part. Each costs more memory than its few characters of source. */
export const PLACE_COUNT_MAX = 10_000

/**
 * Matches `{{{KEY|fallback}}}`, `{{{KEY}}}` or `{{KEY}}`, with optional white space inside the braces. Anything else
 * between braces is plain text. Matching is linear: white space, keys and braces share no character, and a fallback has
 * no braces, so no text is scanned from two starting points. A run of braces is left at its fourth, which makes a text of
 * nothing else three times as fast.
 */
export const PLACE = `\\{\\{(?!\\{\\{)(?:\\{\\s*(${VARIABLE_KEY})\\s*(?:\\|([^{}]*))?\\}\\}\\}|\\s*(${VARIABLE_KEY})\\s*\\}\\})`
const PLACES = new RegExp(PLACE, 'g')

/** What a placeholder shows: a variable, and the fallback that the placeholder itself gives, if any. */
interface Slot {
  key: string
  fallback: string | null
}

/** A subject, HTML or text, split at its variables: `literals[0]`, value of `places[0]`, `literals[1]`, ... */
export interface TemplateText {
  literals: readonly string[]
  places: readonly { slot: number; isRaw: boolean }[]
  /** The distinct slots, in order of first use. A place's slot is an index into this list. */
  slots: readonly Slot[]
}

/** Splits a text at its variables once, so that rendering only joins strings. Accepts any text. */
export function compileText(source: string): TemplateText {
  const literals: string[] = []
  const places: { slot: number; isRaw: boolean }[] = []
  const slots: Slot[] = []
  const numbers = new Map<string, number>()
  let end = 0
  for (const match of source.matchAll(PLACES)) {
    const slot = { key: keyOf(match), fallback: match[2]?.trim() ?? null }
    // A key has no bar, so that no two slots have the same name.
    const name = slot.fallback === null ? slot.key : `${slot.key}|${slot.fallback}`
    const number = numbers.get(name) ?? slots.push(slot) - 1
    numbers.set(name, number)
    literals.push(source.slice(end, match.index))
    places.push({ slot: number, isRaw: match[1] !== undefined })
    end = match.index + match[0].length
  }
  literals.push(source.slice(end))
  return { literals, places, slots }
}

const keyOf = (match: RegExpMatchArray) => (match[1] ?? match[3]) as string

/** Returns the distinct variables of a text, or null when it has more than `placesMax` placeholders. */
export function findKeys(source: string, placesMax: number): Set<string> | null {
  const keys = new Set<string>()
  let count = 0
  for (const match of source.matchAll(PLACES)) {
    if (++count > placesMax) return null
    keys.add(keyOf(match))
  }
  return keys
}

/**
 * Renders the text with its values. Variables inside a value are not expanded.
 * @param values by slot
 * @param escapeValue applied to the value of `{{KEY}}`, but not of `{{{KEY}}}`
 * @returns null when the result would be longer than `charsMax` (UTF-16 units)
 */
export function renderText(
  { literals, places }: TemplateText,
  values: readonly string[],
  escapeValue: (value: string) => string,
  charsMax: number,
): string | null {
  const escaped: (string | undefined)[] = []
  let out = literals[0] as string
  for (let index = 0; index < places.length; index++) {
    const { slot, isRaw } = places[index] as TemplateText['places'][number]
    if (isRaw) out += values[slot] as string
    else {
      escaped[slot] ??= escapeValue(values[slot] as string)
      out += escaped[slot]
    }
    out += literals[index + 1] as string
    if (out.length > charsMax) return null
  }
  return out
}

const HTML_SPECIAL = /[&<>"']/
const HTML_SPECIALS = /[&<>"']/g
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes a value for element content and for attributes in either kind of quotes. */
export function escapeHtml(value: string): string {
  if (!HTML_SPECIAL.test(value)) return value
  return value.replace(HTML_SPECIALS, (character) => ENTITIES[character] as string)
}

/**
 * CRLF counts as one line break. All other control characters and line separators are matched too (RFC 5322 section
 * 2.2).
 */
const LINE_BREAKS = /\r\n|[\p{Cc}\u2028\u2029]/gu

function withoutLineBreaks(value: string): string {
  return value.replace(LINE_BREAKS, ' ')
}

export interface TemplateSource {
  subject: string
  html: string | null
  text: string | null
  variables: readonly TemplateVariable[]
}

export interface CompiledTemplate {
  subject: TemplateText
  html: TemplateText | null
  text: TemplateText | null
  variables: ReadonlyMap<string, TemplateVariable>
  /** Estimated size in memory. */
  sizeBytes: number
}

/** Estimated size of a place and its two strings. Most templates have a few dozen places. */
const PLACE_BYTES = 100
const TEMPLATE_BYTES = 2000

export function compileTemplate({ subject, html, text, variables }: TemplateSource): CompiledTemplate {
  const parts = {
    subject: compileText(subject),
    html: html === null ? null : compileText(html),
    text: text === null ? null : compileText(text),
  }
  const chars = subject.length + (html?.length ?? 0) + (text?.length ?? 0)
  const places =
    parts.subject.places.length + (parts.html?.places.length ?? 0) + (parts.text?.places.length ?? 0)
  return {
    ...parts,
    variables: new Map(variables.map((variable) => [variable.key, variable])),
    sizeBytes: TEMPLATE_BYTES + chars * 2 + places * PLACE_BYTES + variables.length * PLACE_BYTES,
  }
}

/** The values given in a request, by key. */
export type GivenValues = Readonly<Record<string, string | number>>

export type TemplatePart = 'subject' | 'html' | 'text'
export const TEMPLATE_PARTS: readonly TemplatePart[] = ['subject', 'html', 'text']

export interface RenderedTemplate {
  subject: string | null
  html: string | null
  text: string | null
}

/**
 * A rendered part must fit into a message (compose-email.ts). A short request must not expand into a large message.
 */
const RENDERED_CHARS_MAX = 37_500_000
const GROWN_CHARS_MAX = 4_000_000
const GROWTH_MAX = 8

/**
 * Renders the requested parts; the others are null. Throws one validation ApiError that lists every variable with
 * neither a value nor a fallback, and every value that does not fit its type. Ignores values for unknown variables.
 * @param field the field of the request that holds the values, used in the names of errors
 */
export function renderTemplate(
  template: CompiledTemplate,
  given: GivenValues,
  parts: readonly TemplatePart[],
  field: string,
): RenderedTemplate {
  const { values, apiError } = readValues(template, given, parts, field, null)
  if (apiError !== null) throw apiError
  return joinParts(template, given, parts, field, values)
}

/** Renders for an editor: leaves each placeholder without a value in place and lists its variable in `missing`. */
export function renderWithGaps(
  template: CompiledTemplate,
  given: GivenValues,
  parts: readonly TemplatePart[],
  field: string,
): RenderedTemplate & { missing: string[] } {
  const missing = new Set<string>()
  const { values, apiError } = readValues(template, given, parts, field, missing)
  if (apiError !== null) throw apiError
  return { ...joinParts(template, given, parts, field, values), missing: [...missing] }
}

/**
 * Reads the values for each part's slots.
 * @param gaps collects the missing keys, which then are not errors; null makes them errors
 */
function readValues(
  template: CompiledTemplate,
  given: GivenValues,
  parts: readonly TemplatePart[],
  field: string,
  gaps: Set<string> | null,
): { values: string[][]; apiError: ApiError | null } {
  const errors: FieldErrors = {}
  const resolveSlot = ({ key, fallback }: Slot) => {
    const value = readValue(template.variables.get(key), key, fallback, given)
    if (typeof value === 'string') return value
    if (value === MISSING && gaps !== null) {
      gaps.add(key)
      return `{{${key}}}`
    }
    const path = `${field}.${key}`
    errors[path] = [
      value === MISSING ? `The template variable ${key} is required.` : `The ${path} field must be a number.`,
    ]
    return ''
  }
  const values = parts.map((part) => template[part]?.slots.map(resolveSlot) ?? [])
  return { values, apiError: invalidFields(errors) }
}

function joinParts(
  template: CompiledTemplate,
  given: GivenValues,
  parts: readonly TemplatePart[],
  field: string,
  values: readonly string[][],
): RenderedTemplate {
  const charsMax = renderedCharsMax(given)
  const rendered: RenderedTemplate = { subject: null, html: null, text: null }
  for (const [index, part] of parts.entries()) {
    const text = template[part]
    if (text === null) continue
    rendered[part] = renderPart(part, text, values[index] as string[], charsMax)
    if (rendered[part] === null) {
      throw invalidField(field, `The rendered ${part} must not be greater than ${charsMax} characters.`)
    }
  }
  return rendered
}

function renderPart(
  part: TemplatePart,
  text: TemplateText,
  values: readonly string[],
  charsMax: number,
): string | null {
  if (part === 'html') return renderText(text, values, escapeHtml, charsMax)
  return renderText(text, part === 'subject' ? values.map(withoutLineBreaks) : values, unchanged, charsMax)
}

const unchanged = (value: string) => value

/**
 * Returns the maximum length of a rendered part. A short request could repeat one value ten thousand times and
 * produce a large message that the memory budget for request bodies has not counted. Long values have been counted.
 */
function renderedCharsMax(given: GivenValues): number {
  let chars = 0
  for (const value of Object.values(given)) chars += typeof value === 'string' ? value.length : 0
  return Math.min(RENDERED_CHARS_MAX, GROWN_CHARS_MAX + GROWTH_MAX * chars)
}

const MISSING = Symbol('missing')
const WRONG = Symbol('wrong type')

/**
 * Reads the value of a variable. A variable without a definition is a string without a fallback.
 * @param fallback of the placeholder; it takes precedence over that of the variable
 */
function readValue(
  variable: TemplateVariable | undefined,
  key: string,
  fallback: string | null,
  given: GivenValues,
): string | typeof MISSING | typeof WRONG {
  // Only own properties count: `constructor` must not resolve to an inherited value.
  const value = Object.hasOwn(given, key) ? given[key] : undefined
  if (value === undefined) return fallback ?? variable?.fallback_value ?? MISSING
  return variable?.type === 'number' && !isNumeric(value) ? WRONG : String(value)
}

const NUMERIC = /^[+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d{1,3})?$/
const NUMERIC_CHARS_MAX = 100

/** Returns whether a variable of type number accepts the value: a finite JSON number, or a decimal number as text. */
export function isNumeric(value: string | number): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  return value.length <= NUMERIC_CHARS_MAX && NUMERIC.test(value)
}

import { type ApiError, type FieldErrors, invalidField, invalidFields } from '../lib/api-error.ts'
import type { TemplateVariable } from './templates-queries.ts'

/** Name of a variable: what stands between the braces. */
export const VARIABLE_KEY = '[A-Za-z_][A-Za-z0-9_]{0,63}'
/** Distinct variables of one template, so that nobody is told of a million that are missing. */
export const VARIABLE_COUNT_MAX = 200
/** Placeholders of one part: each costs more than the few letters that it is written in. */
export const PLACE_COUNT_MAX = 10_000

/**
 * `{{{KEY}}}` or `{{KEY}}`, white space inside the braces allowed. All else between braces is plain text. Linear: white
 * space, key and braces share no character, so no stretch of text is tried from two beginnings.
 */
const PLACE = new RegExp(
  `\\{\\{\\{\\s*(${VARIABLE_KEY})\\s*\\}\\}\\}|\\{\\{\\s*(${VARIABLE_KEY})\\s*\\}\\}`,
  'g',
)

/** A subject, html or text cut at its variables: `literals[0]`, value of `places[0]`, `literals[1]`, ... */
export interface TemplateText {
  literals: readonly string[]
  places: readonly { slot: number; isRaw: boolean }[]
  /** The distinct variables in order of first use; a place's slot is an index into it. */
  keys: readonly string[]
}

/** Cuts a text at its variables, once: rendering it is then a matter of joining. Nothing is refused here. */
export function compileText(source: string): TemplateText {
  const literals: string[] = []
  const places: { slot: number; isRaw: boolean }[] = []
  const slots = new Map<string, number>()
  let end = 0
  for (const match of source.matchAll(PLACE)) {
    const key = (match[1] ?? match[2]) as string
    const slot = slots.get(key) ?? slots.size
    slots.set(key, slot)
    literals.push(source.slice(end, match.index))
    places.push({ slot, isRaw: match[1] !== undefined })
    end = match.index + match[0].length
  }
  literals.push(source.slice(end))
  return { literals, places, keys: [...slots.keys()] }
}

/** The distinct variables of a text; null when it has more than `placesMax` placeholders, which are not read to the end. */
export function findKeys(source: string, placesMax: number): Set<string> | null {
  const keys = new Set<string>()
  let count = 0
  for (const match of source.matchAll(PLACE)) {
    if (++count > placesMax) return null
    keys.add((match[1] ?? match[2]) as string)
  }
  return keys
}

/**
 * The text with its values put in, which are never looked into for variables again.
 * @param values by slot
 * @param escapeValue what `{{KEY}}` does to a value; `{{{KEY}}}` does nothing
 * @returns null when it would be longer than `charsMax` (UTF-16 units)
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

/** Fit for element content and for attributes in either kind of quotes. */
export function escapeHtml(value: string): string {
  if (!HTML_SPECIAL.test(value)) return value
  return value.replace(HTML_SPECIALS, (character) => ENTITIES[character] as string)
}

/** CRLF is one line break; what else ends a line or controls anything becomes a space as well (RFC 5322 section 2.2). */
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
  /** What it holds in memory, about. */
  sizeBytes: number
}

/** Of a place and its pair of strings; most templates have a few dozen. */
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

/** As a request gives them, by key. */
export type GivenValues = Readonly<Record<string, string | number>>

export type TemplatePart = 'subject' | 'html' | 'text'
export const TEMPLATE_PARTS: readonly TemplatePart[] = ['subject', 'html', 'text']

export interface RenderedTemplate {
  subject: string | null
  html: string | null
  text: string | null
}

/** No part may grow beyond what a message may have (compose-email.ts), nor a small request to more than this. */
const RENDERED_CHARS_MAX = 37_500_000
const GROWN_CHARS_MAX = 4_000_000
const GROWTH_MAX = 8

/**
 * Renders the parts asked for; the others are null. Throws one validation ApiError that names every variable which has
 * neither a value nor a fallback, and every value that does not fit its type. Values of other names are ignored.
 * @param field where the values stand in the request, for the names of errors
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

/** The same for an editor: a variable that is missing is told, and stays as the placeholder that it is. */
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
 * The values of each part's slots.
 * @param gaps takes the keys that are missing, which are no errors then
 */
function readValues(
  template: CompiledTemplate,
  given: GivenValues,
  parts: readonly TemplatePart[],
  field: string,
  gaps: Set<string> | null,
): { values: string[][]; apiError: ApiError | null } {
  const errors: FieldErrors = {}
  const worthOf = (key: string) => {
    const value = readValue(template.variables.get(key), key, given)
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
  const values = parts.map((part) => template[part]?.keys.map(worthOf) ?? [])
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
  return renderText(text, part === 'subject' ? values.map(withoutLineBreaks) : values, asItIs, charsMax)
}

const asItIs = (value: string) => value

/**
 * A short request whose template repeats a value ten thousand times would come to a large message that no budget of
 * request bodies has counted; long values have been counted.
 */
function renderedCharsMax(given: GivenValues): number {
  let chars = 0
  for (const value of Object.values(given)) chars += typeof value === 'string' ? value.length : 0
  return Math.min(RENDERED_CHARS_MAX, GROWN_CHARS_MAX + GROWTH_MAX * chars)
}

const MISSING = Symbol('missing')
const WRONG = Symbol('of a wrong type')

/** A variable that the template uses but does not describe is a string without a fallback. */
function readValue(
  variable: TemplateVariable | undefined,
  key: string,
  given: GivenValues,
): string | typeof MISSING | typeof WRONG {
  // Own fields only: nobody inherits `constructor` as a value.
  const value = Object.hasOwn(given, key) ? given[key] : undefined
  if (value === undefined) return variable?.fallback_value ?? MISSING
  return variable?.type === 'number' && !isNumeric(value) ? WRONG : String(value)
}

const NUMERIC = /^[+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d{1,3})?$/
const NUMERIC_CHARS_MAX = 100

/** A JSON number, or a text of decimal digits: what a variable of type number takes. */
export function isNumeric(value: string | number): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  return value.length <= NUMERIC_CHARS_MAX && NUMERIC.test(value)
}

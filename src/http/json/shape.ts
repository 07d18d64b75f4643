import type { TSchema } from 'typebox'
import { ApiError, type FieldErrors, WHOLE_BODY } from '../../lib/api-error.ts'
import { isUuid } from '../../lib/ids.ts'
import { isLongerThan } from '../../lib/text/is-longer-than.ts'

/** The limit on reported errors, and on the work for a hostile body with millions of invalid items. */
const ERRORS_MAX = 100
const PATH_LENGTH_MAX = 200

/** The keywords of JSON Schema (draft 2020-12) that our schemas use, and our own. */
export interface Schema {
  type?: string
  const?: unknown
  enum?: readonly unknown[]
  anyOf?: readonly Schema[]
  properties?: Record<string, Schema>
  required?: readonly string[]
  patternProperties?: Record<string, Schema>
  maxProperties?: number
  items?: Schema
  minItems?: number
  maxItems?: number
  minLength?: number
  maxLength?: number
  pattern?: string
  format?: string
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  /** Allows U+0000. Otherwise it is rejected, because PostgreSQL's text cannot hold it. */
  'x-nul'?: boolean
  /** Counts an empty text or list as absent, also an empty text alone in a list. Forms and PHP send these. */
  'x-blank'?: boolean
  /** Describes a union in words, if it accepts more than is documented. */
  'x-words'?: string
}

class Findings {
  readonly errors: FieldErrors = Object.create(null)
  #count = 0

  add(path: string, message: (subject: string) => string): void {
    if (this.isFull) return
    this.#count++
    const key = shorten(path)
    this.errors[key] ??= []
    this.errors[key].push(message(key === '' ? WHOLE_BODY : `The ${key} field`))
  }

  get isFull(): boolean {
    return this.#count >= ERRORS_MAX
  }

  get isEmpty(): boolean {
    return this.#count === 0
  }
}

function shorten(path: string): string {
  return path.length > PATH_LENGTH_MAX
    ? `${path.slice(0, PATH_LENGTH_MAX).toWellFormed()}...`
    : path.toWellFormed()
}

/**
 * Validates a parsed body by its schema, without coercion. Unknown fields pass. An empty array in place of a map
 * becomes `{}`, because PHP encodes an empty map as `[]`. Null is removed from an optional field in which it has no
 * meaning, and an empty text or list from a field with `x-blank`. One walk produces the verdict and the messages, so they
 * never disagree. Lengths count code points.
 * @returns errors by dotted path in the words of ERR-2, or null. An error of the whole value has an empty path.
 */
export function checkShape(schema: TSchema, value: unknown): FieldErrors | null {
  const findings = new Findings()
  check(schema as Schema, value, '', findings)
  return findings.isEmpty ? null : findings.errors
}

/** Returns the 422 for the errors that `checkShape` found. An error of the whole value names no field. */
export function refuseShape(errors: FieldErrors): ApiError {
  const [[path, messages] = ['', []]] = Object.entries(errors)
  return new ApiError('validation_error', messages[0], path === '' ? {} : { errors })
}

function check(schema: Schema, value: unknown, path: string, findings: Findings): void {
  if (schema.anyOf !== undefined) {
    checkUnion(schema.anyOf, value, path, findings, schema['x-words'])
    return
  }
  if ('const' in schema || schema.enum !== undefined) {
    checkChoice(schema, value, path, findings)
    return
  }
  if (schema.type !== undefined && !isOfType(schema.type, value)) {
    findings.add(path, (subject) => `${subject} must be ${TYPE_WORDS[schema.type as string]}.`)
    return
  }
  if (typeof value === 'string') checkString(schema, value, path, findings)
  else if (typeof value === 'number') checkNumber(schema, value, path, findings)
  else if (isList(value)) checkArray(schema, value, path, findings)
  else if (typeof value === 'object' && value !== null) checkObject(schema, value as Fields, path, findings)
}

type Fields = Record<string, unknown>

const TYPE_WORDS: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  integer: 'an integer',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  null: 'null',
}

function isOfType(type: string, value: unknown): boolean {
  switch (type) {
    case 'integer':
      return Number.isSafeInteger(value)
    case 'number':
      return Number.isFinite(value)
    case 'array':
      return isList(value)
    case 'null':
      return value === null
    case 'object':
      return typeof value === 'object' && value !== null && !isList(value)
    default:
      return typeof value === type
  }
}

/** Returns whether a value is an array in JSON, including the octets of a Buffer (json-octets.ts). */
function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) || value instanceof Uint8Array
}

function checkChoice(schema: Schema, value: unknown, path: string, findings: Findings): void {
  const choices = schema.enum ?? [schema.const]
  if (!choices.includes(value)) findings.add(path, (subject) => `${subject} must be ${oneOf(choices)}.`)
}

function oneOf(choices: readonly unknown[]): string {
  const words = choices.filter((choice) => choice !== null).map(String)
  return words.length === 1 ? (words[0] as string) : `one of ${words.join(', ')}`
}

/** Passes if one branch does. Otherwise reports the errors of the branch of the value's type, or the valid choices. */
function checkUnion(
  branches: readonly Schema[],
  value: unknown,
  path: string,
  findings: Findings,
  description?: string,
): void {
  const choices = branches.filter((branch) => 'const' in branch)
  if (choices.some((branch) => branch.const === value)) return
  const fitting = branches.filter(
    (branch) => branch.type !== undefined && !('const' in branch) && isOfType(branch.type, value),
  )
  let ofBranch: Findings | null = null
  for (const branch of fitting) {
    const attempt = new Findings()
    check(branch, value, path, attempt)
    if (attempt.isEmpty) return
    ofBranch ??= attempt
  }
  if (ofBranch !== null) {
    for (const [field, messages] of Object.entries(ofBranch.errors)) {
      for (const message of messages) findings.add(field, () => message)
    }
    return
  }
  const words = [
    ...(choices.length > 0 ? [oneOf(choices.map((branch) => branch.const))] : []),
    ...branches
      .filter((branch) => !('const' in branch) && branch.type !== 'null')
      .map((branch) => TYPE_WORDS[branch.type ?? 'string']),
  ]
  findings.add(path, (subject) => `${subject} must be ${description ?? words.join(' or ')}.`)
}

function checkString(schema: Schema, value: string, path: string, findings: Findings): void {
  if (!value.isWellFormed()) {
    findings.add(path, (subject) => `${subject} must be valid Unicode text.`)
    return
  }
  if (schema['x-nul'] !== true && value.includes('\u0000')) {
    findings.add(path, (subject) => `${subject} must not contain the character U+0000.`)
    return
  }
  const { minLength = 0, maxLength } = schema
  if (value === '' && minLength > 0) {
    findings.add(path, (subject) => `${subject} is required.`)
    return
  }
  if (maxLength !== undefined && isLongerThan(value, maxLength)) {
    findings.add(path, (subject) => `${subject} must not be greater than ${maxLength} characters.`)
    return
  }
  if (minLength > 1 && !isLongerThan(value, minLength - 1)) {
    findings.add(path, (subject) => `${subject} must be at least ${minLength} characters.`)
    return
  }
  if (schema.format === 'uuid' && !isUuid(value)) {
    findings.add(path, (subject) => `${subject} must be a valid UUID.`)
    return
  }
  if (schema.pattern !== undefined && !patternOf(schema.pattern).test(value)) {
    findings.add(path, (subject) => `${subject} format is invalid.`)
  }
}

const patterns = new Map<string, RegExp>()

function patternOf(source: string): RegExp {
  let pattern = patterns.get(source)
  if (pattern === undefined) {
    pattern = new RegExp(source, 'u')
    patterns.set(source, pattern)
  }
  return pattern
}

function checkNumber(schema: Schema, value: number, path: string, findings: Findings): void {
  const { minimum, maximum, exclusiveMinimum } = schema
  if (minimum !== undefined && value < minimum) {
    findings.add(path, (subject) => `${subject} must be at least ${minimum}.`)
  } else if (exclusiveMinimum !== undefined && value <= exclusiveMinimum) {
    findings.add(path, (subject) => `${subject} must be greater than ${exclusiveMinimum}.`)
  } else if (maximum !== undefined && value > maximum) {
    findings.add(path, (subject) => `${subject} must not be greater than ${maximum}.`)
  }
}

function checkArray(schema: Schema, value: readonly unknown[], path: string, findings: Findings): void {
  const { minItems = 0, maxItems, items } = schema
  if (maxItems !== undefined && value.length > maxItems) {
    findings.add(path, (subject) => `${subject} must not have more than ${maxItems} items.`)
    return
  }
  if (value.length < minItems) {
    findings.add(
      path,
      (subject) => `${subject} must have at least ${minItems} ${minItems === 1 ? 'item' : 'items'}.`,
    )
    return
  }
  if (items === undefined) return
  // Octets have one type and may be millions, so checking the first is enough.
  const count = value instanceof Uint8Array ? Math.min(1, value.length) : value.length
  for (let index = 0; index < count && !findings.isFull; index++) {
    check(items, value[index], join(path, index), findings)
  }
}

function checkObject(schema: Schema, value: Fields, path: string, findings: Findings): void {
  const { properties = {}, required = [] } = schema
  for (const name of Object.keys(properties)) {
    const property = properties[name] as Schema
    const isRequired = required.includes(name)
    // Own properties only: a body must not inherit `constructor` as a value.
    const field = Object.hasOwn(value, name) ? value[name] : undefined
    if (field === undefined || (field === null && isRequired && !admitsNull(property))) {
      if (isRequired) findings.add(join(path, name), (subject) => `${subject} is required.`)
    } else if (field === null && !admitsNull(property)) delete value[name]
    else if (property['x-blank'] === true && isBlank(field)) delete value[name]
    else if (isMap(property) && isEmptyArray(field)) value[name] = {}
    else check(property, field, join(path, name), findings)
  }
  const entrySchema =
    schema.patternProperties === undefined ? undefined : Object.values(schema.patternProperties)[0]
  if (entrySchema !== undefined) checkEntries(schema, entrySchema, value, path, findings)
}

/** Returns whether the schema accepts an object with any names, but no array. */
function isMap({ anyOf, patternProperties }: Schema): boolean {
  if (anyOf === undefined) return patternProperties !== undefined
  return anyOf.some(isMap) && !anyOf.some((branch) => branch.type === 'array')
}

function isBlank(value: unknown): boolean {
  return (
    value === '' || (Array.isArray(value) && (value.length === 0 || (value.length === 1 && value[0] === '')))
  )
}

function isEmptyArray(value: unknown): boolean {
  return isList(value) && value.length === 0
}

/** Returns whether null has a meaning in the field, such as clearing it. */
export function admitsNull(schema: Schema): boolean {
  if (schema.anyOf !== undefined) return schema.anyOf.some(admitsNull)
  if ('const' in schema) return schema.const === null
  if (schema.enum !== undefined) return schema.enum.includes(null)
  return schema.type === undefined || schema.type === 'null'
}

/** Checks a map of any names to values of one shape (custom headers, template variables). */
function checkEntries(schema: Schema, entry: Schema, value: Fields, path: string, findings: Findings): void {
  const names = Object.keys(value)
  const { maxProperties } = schema
  if (maxProperties !== undefined && names.length > maxProperties) {
    findings.add(path, (subject) => `${subject} must not have more than ${maxProperties} entries.`)
    return
  }
  for (const name of names) {
    if (findings.isFull) return
    if (!name.isWellFormed() || name.includes('\u0000')) {
      findings.add(path, (subject) => `${subject} has a name that is not valid text.`)
    } else check(entry, value[name], join(path, name), findings)
  }
}

function join(path: string, name: string | number): string {
  return path === '' ? String(name) : `${path}.${name}`
}

import { isUuid } from '../../lib/ids.ts'
import { isLongerThan } from '../../lib/text/is-longer-than.ts'
import { type Duration, parseDuration } from '../../lib/time/durations.ts'
import type { Problems } from './problems.ts'

/** Returns why PostgreSQL could not store a text or the API does not take it, as the end of a sentence; null: it could. */
export function textProblem(text: string, charsMax: number): string | null {
  if (!text.isWellFormed()) return 'must be valid Unicode text.'
  if (text.includes('\u0000')) return 'must not contain the character U+0000.'
  return isLongerThan(text, charsMax) ? `must not be greater than ${charsMax} characters.` : null
}

/** Returns a value as the fields of a JSON object. PHP sends `[]` for an empty one. Null: it is none. */
export function recordOf(value: unknown): Readonly<Record<string, unknown>> | null {
  if (Array.isArray(value)) return value.length === 0 ? {} : null
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null
}

/** Returns a value as the items of a JSON array; null: it is none. */
export function itemsOf(value: unknown): readonly unknown[] | null {
  return Array.isArray(value) ? value : null
}

/** Reads the fields of one JSON object, notes what is wrong with them, and finally those that nobody read. */
export class FieldReader {
  readonly path: string
  readonly problems: Problems
  readonly record: Readonly<Record<string, unknown>>
  readonly #read = new Set<string>()

  constructor(record: Readonly<Record<string, unknown>>, path: string, problems: Problems) {
    this.record = record
    this.path = path
    this.problems = problems
  }

  pathOf(name: string): string {
    return this.path === '' ? name : `${this.path}.${name}`
  }

  /** @param says ends the sentence `The NAME field ...` */
  refuse(name: string, says: string): void {
    this.problems.add(this.pathOf(name), says)
  }

  /** Returns the value as given. Own fields only: a body must not inherit `constructor`. */
  raw(name: string): unknown {
    this.#read.add(name)
    return Object.hasOwn(this.record, name) ? this.record[name] : undefined
  }

  /** Returns the value, undefined for null: an optional field accepts it. */
  value(name: string): unknown {
    return this.raw(name) ?? undefined
  }

  /** Returns what `parse` makes of a value; undefined: it is absent, or invalid and noted. */
  parsed<T>(name: string, parse: (value: unknown) => T | null, says: string): T | undefined {
    const value = this.value(name)
    if (value === undefined) return undefined
    const result = parse(value)
    if (result === null) this.refuse(name, says)
    return result ?? undefined
  }

  /** Returns a text of at least one character. */
  text(name: string, charsMax: number): string | undefined {
    const value = this.value(name)
    if (value === undefined) return undefined
    const says =
      typeof value !== 'string'
        ? 'must be a string.'
        : value === ''
          ? 'must not be empty.'
          : textProblem(value, charsMax)
    if (says === null) return value as string
    this.refuse(name, says)
    return undefined
  }

  /** Returns a UUID in lower case. */
  id(name: string): string | undefined {
    const parse = (value: unknown) =>
      typeof value === 'string' && isUuid(value) ? value.toLowerCase() : null
    return this.parsed(name, parse, 'must be a valid UUID.')
  }

  choice<const T extends string>(name: string, choices: readonly T[]): T | undefined {
    const parse = (value: unknown) => choices.find((choice) => choice === value) ?? null
    return this.parsed(name, parse, `must be one of ${choices.join(', ')}.`)
  }

  integer(name: string, min: number, max: number): number | undefined {
    const parse = (value: unknown) =>
      Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max
        ? (value as number)
        : null
    return this.parsed(name, parse, `must be an integer from ${min} to ${max}.`)
  }

  /** Returns the canonical text of a duration within bounds. */
  duration(name: string, min: string, max: string): string | undefined {
    const value = this.parsed(name, parseDuration, 'must be a duration, such as 30 minutes or 3 days.')
    if (value === undefined) return undefined
    const [least, most] = [min, max].map((text) => parseDuration(text) as Duration)
    if (least !== undefined && value.ms < least.ms) this.refuse(name, `must be at least ${min}.`)
    else if (most !== undefined && value.ms > most.ms) this.refuse(name, `must be at most ${max}.`)
    else return value.text
    return undefined
  }

  /** Returns a reader of the fields of an object. */
  object(name: string): FieldReader | undefined {
    const record = this.parsed(name, recordOf, 'must be an object.')
    return record && new FieldReader(record, this.pathOf(name), this.problems)
  }

  /** Returns the items of an array of at most `max`. */
  list(name: string, max: number): readonly unknown[] | undefined {
    const items = this.parsed(name, itemsOf, 'must be an array.')
    if (items === undefined) return undefined
    if (items.length <= max) return items
    this.refuse(name, `must not have more than ${max} items.`)
    return undefined
  }

  /**
   * Notes every field that was not read.
   * @param says by name, why a field that others know is not supported
   */
  rejectOthers(says: Readonly<Record<string, string>> = {}): void {
    for (const name of Object.keys(this.record)) {
      if (this.problems.isFull) return
      const value = this.record[name]
      if (this.#read.has(name) || value === undefined || value === null) continue
      this.refuse(name, Object.hasOwn(says, name) ? `${says[name]}` : 'is unknown.')
    }
  }
}

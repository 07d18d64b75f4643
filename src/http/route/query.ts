import type { TSchema } from 'typebox'
import type { Schema } from '../json/shape.ts'

const INTEGER = /^-?\d{1,15}$/

/**
 * Parses a query string by its schema. All values are text, so integers and booleans are converted here and nowhere
 * else. Unknown parameters are dropped.
 */
export function readQuery(
  schema: TSchema,
  query: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const properties = (schema as Schema).properties ?? {}
  const read: Record<string, unknown> = {}
  for (const [name, property] of Object.entries(properties)) {
    const given = query[name]
    if (given !== undefined) read[name] = readParameter(property, given)
  }
  return read
}

function readParameter(schema: Schema, given: unknown): unknown {
  if (schema.type === 'array') return Array.isArray(given) ? given : [given]
  if (typeof given !== 'string') return given
  if (schema.type === 'integer' && INTEGER.test(given)) return Number(given)
  if (schema.type === 'boolean' && (given === 'true' || given === '1')) return true
  if (schema.type === 'boolean' && (given === 'false' || given === '0')) return false
  return given
}

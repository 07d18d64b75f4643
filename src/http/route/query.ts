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
  const values: Record<string, unknown> = {}
  for (const [name, property] of Object.entries(properties)) {
    const value = query[name]
    if (value !== undefined) values[name] = readParameter(property, value)
  }
  return values
}

function readParameter(schema: Schema, value: unknown): unknown {
  if (schema.type === 'array') return Array.isArray(value) ? value : [value]
  if (typeof value !== 'string') return value
  if (schema.type === 'integer' && INTEGER.test(value)) return Number(value)
  if (schema.type === 'boolean' && (value === 'true' || value === '1')) return true
  if (schema.type === 'boolean' && (value === 'false' || value === '0')) return false
  return value
}

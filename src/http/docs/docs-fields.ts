import { escapeText, inline } from './docs-html.ts'
import type { Json, JsonObject } from './openapi-json.ts'

/** Renders the fields of a request's body as a table: name, type, rule. */
export function renderBodyFields(schema: JsonObject): string {
  return renderTable(fieldRows(schema, ''))
}

/** Renders the fields of a response, without `required` marks. */
export function renderAnswerFields(schema: JsonObject): string {
  return renderTable(fieldRows(schema, '').map((field) => ({ ...field, isRequired: false })))
}

/** Renders the parameters of an operation in the same form. */
export function renderParameters(parameters: readonly JsonObject[]): string {
  return renderTable(parameters.map(parameterRow))
}

interface Field {
  name: string
  type: string
  isRequired: boolean
  text: string
}

function parameterRow(parameter: JsonObject): Field {
  const schema = { ...(parameter.schema as JsonObject), description: parameter.description ?? '' }
  return {
    name: String(parameter.name),
    type: `${typeOf(schema)} in ${parameter.in}`,
    isRequired: parameter.required === true,
    text: describe(schema),
  }
}

const DEPTH_MAX = 8

/** Returns a row for each field, however deep, including those of each alternative. */
function fieldRows(schema: JsonObject, prefix: string, depth = 0): Field[] {
  if (depth > DEPTH_MAX) return []
  const { properties, items, anyOf } = schema
  if (anyOf !== undefined) {
    return (anyOf as JsonObject[]).flatMap((choice) => fieldRows(choice, prefix, depth + 1))
  }
  if (items !== undefined) return fieldRows(items as JsonObject, `${prefix}[]`, depth + 1)
  const required = (schema.required ?? []) as string[]
  return Object.entries((properties ?? {}) as Record<string, JsonObject>).flatMap(([name, property]) => {
    const path = prefix === '' ? name : `${prefix}.${name}`
    const own = {
      name: path,
      type: typeOf(property),
      isRequired: required.includes(name),
      text: describe(property),
    }
    return [own, ...fieldRows(property, path, depth + 1)]
  })
}

/** Up to this many choices are shown as the type, more as a note. */
const CHOICES_MAX = 4

function typeOf(schema: JsonObject): string {
  if (schema.anyOf !== undefined) return [...new Set((schema.anyOf as JsonObject[]).map(typeOf))].join(' or ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) {
    const choices = schema.enum as Json[]
    return choices.length > CHOICES_MAX
      ? `string${choices.includes(null) ? ' or null' : ''}`
      : choices.map((choice) => JSON.stringify(choice)).join(', ')
  }
  if (Array.isArray(schema.type)) {
    return schema.type.map((type) => typeOf({ ...schema, type: type as Json })).join(' or ')
  }
  if (schema.type === 'array') return `array of ${typeOf((schema.items ?? {}) as JsonObject)}`
  const format = schema.format === undefined || schema.type === 'null' ? '' : ` (${schema.format})`
  return `${schema.type ?? 'any'}${format}`
}

/** The keywords that are shown as limits, with their texts. */
const LIMITS: readonly [string, string][] = [
  ['maxLength', 'At most # characters.'],
  ['minimum', 'At least #.'],
  ['maximum', 'At most #.'],
  ['minItems', 'At least # items.'],
  ['maxItems', 'At most # items.'],
  ['maxProperties', 'At most # entries.'],
  ['default', 'Default #.'],
]

function describe(schema: JsonObject): string {
  const said = inline(schema.description ?? '')
  return [said, ...limitsOf(schema).map((limit) => (said.includes(limit) ? '' : escapeText(limit)))]
    .filter((part) => part !== '')
    .join(' ')
}

/** Returns the limits of a schema and of its alternatives, each once. */
function limitsOf(schema: JsonObject): string[] {
  const own = LIMITS.filter(([keyword]) => schema[keyword] !== undefined).map(([keyword, words]) =>
    words.replace('#', showValue(schema[keyword] as Json)).replace(/\b1 items/, '1 item'),
  )
  const choices = (schema.enum ?? []) as Json[]
  if (choices.length > CHOICES_MAX)
    own.push(`One of ${choices.filter((choice) => choice !== null).join(', ')}.`)
  const inner = ((schema.anyOf ?? []) as JsonObject[]).flatMap(limitsOf)
  return [...new Set([...own, ...inner])]
}

function showValue(value: Json): string {
  return typeof value === 'number' ? value.toLocaleString('en-US') : String(value)
}

function renderTable(fields: readonly Field[]): string {
  if (fields.length === 0) return ''
  const rows = fields.map(
    ({ name, type, isRequired, text }) =>
      `<tr><td><code>${breakable(name)}</code>${isRequired ? ' <em>required</em>' : ''}</td><td>${escapeText(type)}</td><td>${text}</td></tr>`,
  )
  return `<div class="wide"><table><thead><tr><th>Field</th><th>Type</th><th>Notes</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>`
}

/** Lets a long path break after a dot or an underscore. */
function breakable(path: string): string {
  return escapeText(path).replace(/[._]/g, '$&<wbr>')
}

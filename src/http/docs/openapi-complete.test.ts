import { Registry } from 'prom-client'
import { describe, expect, test } from 'vitest'
import { API_ROUTES, OPERATOR_ROUTES } from '../../app/routes.ts'
import { API_ERRORS } from '../../lib/api-error.ts'
import { healthRoutes } from '../../operator/health-routes.ts'
import { docsRoutes } from './docs-routes.ts'
import { describeApi } from './openapi.ts'
import { exampleOfSchema } from './openapi-examples.ts'
import type { JsonObject } from './openapi-json.ts'
import { readOperations } from './openapi-refs.ts'

/**
 * Each field of a request documents its rule, and each field of a response its meaning, unless its type already does
 * (one value, a choice of words, a format).
 */
const PUBLIC_URL = 'https://api.test'
const ROUTES = [
  ...API_ROUTES,
  ...OPERATOR_ROUTES,
  ...healthRoutes({ checks: [], registry: new Registry(), metricsToken: 'token' }),
  ...docsRoutes(API_ROUTES, PUBLIC_URL),
]
const DOCUMENT = describeApi(ROUTES, PUBLIC_URL)
const operations = Object.entries(readOperations(DOCUMENT)).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, content]) => ({
    name: `${method.toUpperCase()} ${path}`,
    content,
  })),
)

interface Field {
  path: string
  schema: JsonObject
}

/** Returns every named field of a schema at any depth, including those of its alternatives. */
function fieldsOf(schema: JsonObject, path = ''): Field[] {
  const choices = (schema.anyOf ?? []) as JsonObject[]
  const items = schema.items === undefined ? [] : fieldsOf(schema.items as JsonObject, `${path}[]`)
  const own = Object.entries((schema.properties ?? {}) as Record<string, JsonObject>).flatMap(
    ([name, property]) => {
      const at = path === '' ? name : `${path}.${name}`
      return [{ path: at, schema: property }, ...fieldsOf(property, at)]
    },
  )
  return [...own, ...items, ...choices.flatMap((choice) => fieldsOf(choice, path))]
}

function schemasOf(holder: JsonObject | undefined): JsonObject[] {
  const content = (holder?.content ?? {}) as Record<string, JsonObject>
  return Object.values(content).flatMap(({ schema }) => (schema === undefined ? [] : [schema as JsonObject]))
}

const isDescribed = (schema: JsonObject) =>
  typeof schema.description === 'string' && schema.description !== ''

/** Returns whether a schema needs no description: a value, a choice, a format, or described fields and items. */
function isSelfExplanatory(schema: JsonObject): boolean {
  if (isDescribed(schema) || schema.const !== undefined || schema.enum !== undefined) return true
  if (schema.format !== undefined || schema.type === 'null') return true
  if (schema.anyOf !== undefined) return (schema.anyOf as JsonObject[]).every(isSelfExplanatory)
  if (schema.items !== undefined) return isSelfExplanatory(schema.items as JsonObject)
  return schema.properties !== undefined
}

describe('the OpenAPI document', () => {
  test('documents the rule of every field of every body', () => {
    const silent = operations.flatMap(({ name, content }) =>
      schemasOf(content.requestBody as JsonObject | undefined)
        .flatMap((schema) => fieldsOf(schema))
        .filter(({ schema }) => !isDescribed(schema))
        .map(({ path }) => `${name}: ${path}`),
    )
    expect(silent).toEqual([])
  })

  test('documents the rule of every parameter', () => {
    const silent = operations.flatMap(({ name, content }) =>
      ((content.parameters ?? []) as JsonObject[])
        .filter((parameter) => !isDescribed(parameter))
        .map((parameter) => `${name}: ${parameter.name} in ${parameter.in}`),
    )
    expect(silent).toEqual([])
  })

  test('documents the meaning of every field of every response', () => {
    const silent = operations.flatMap(({ name, content }) =>
      Object.entries(content.responses as Record<string, JsonObject>).flatMap(([status, response]) =>
        schemasOf(response)
          .flatMap((schema) => fieldsOf(schema))
          .filter(({ schema }) => !isSelfExplanatory(schema))
          .map(({ path }) => `${name} ${status}: ${path}`),
      ),
    )
    expect(silent).toEqual([])
  })

  test('has an example for every status with a JSON response', () => {
    const without = operations.flatMap(({ name, content }) =>
      Object.entries(content.responses as Record<string, JsonObject>)
        .filter(([status, response]) => {
          const media = (response.content as JsonObject | undefined)?.['application/json'] as
            | JsonObject
            | undefined
          if (media === undefined || status === 'default' || status.endsWith('XX')) return false
          return media.example === undefined && exampleOfSchema(media.schema as JsonObject) === undefined
        })
        .map(([status]) => `${name} ${status}`),
    )
    expect(without).toEqual([])
  })

  test('has an example for every error', () => {
    const { responses } = DOCUMENT.components as Record<string, Record<string, JsonObject>>
    const content = responses?.Error?.content as Record<string, JsonObject>
    const examples = content['application/json']?.examples as Record<
      string,
      { value: { statusCode: number } }
    >
    const shown = new Set(Object.values(examples).map(({ value }) => value.statusCode))
    expect(Object.keys(examples)).toContain('ValidationError')
    expect(
      [...new Set(Object.values(API_ERRORS).map(({ status }) => status))].filter(
        (status) => !shown.has(status),
      ),
    ).toEqual([])
  })
})

import Type from 'typebox'
import { expect, test } from 'vitest'
import { startApi } from '../../../test/support/api.ts'
import { apiKeyRoutes } from '../../keys/api-keys-routes.ts'
import { suppressionRoutes } from '../../suppressions/suppressions-routes.ts'
import { usageRoutes } from '../../teams/usage-routes.ts'
import { route } from '../route/route.ts'
import { renderOperation } from './docs-operation.ts'
import { listGroups } from './docs-operations.ts'
import { docsRoutes } from './docs-routes.ts'
import { describeApi } from './openapi.ts'
import type { JsonObject } from './openapi-json.ts'
import { readOperations } from './openapi-refs.ts'

const ROUTES = [...apiKeyRoutes, ...suppressionRoutes, ...usageRoutes]
const EVERY_ERROR = /401 .*403 .*404 .*409 .*422 .*429 .*500 .*503 /

test('200 without a key for /openapi.json, with every route of the table and its own', async (t) => {
  const routes = [...ROUTES, ...docsRoutes(ROUTES, 'https://api.test')]
  const api = await startApi({ routes })
  t.onTestFinished(() => api.stop())
  const { json } = await api.as(null).get('/openapi.json')
  expect(json).toMatchObject({
    openapi: '3.1.0',
    info: { version: '1.0.0' },
    servers: [{ url: 'https://api.test' }],
  })
  const documented = Object.entries(readOperations(json)).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  const table = routes.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`)
  expect(documented.sort()).toEqual(table.sort())
})

test('every operation has a unique id and its errors, and the headers of all responses are described once', () => {
  const document = describeApi(ROUTES, 'https://api.test')
  const operations = Object.values(readOperations(document)).flatMap((methods) => Object.values(methods))
  expect(new Set(operations.map((operation) => operation.operationId)).size).toBe(ROUTES.length)
  for (const operation of operations) {
    const responses = operation.responses as Record<string, JsonObject>
    for (const statuses of ['4XX', '5XX']) expect(responses[statuses]?.description).toMatch(EVERY_ERROR)
  }
  const { responses } = document.components as Record<string, Record<string, JsonObject>>
  const { description } = document.info as Record<string, string>
  const headers = ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset', 'x-request-id']
  for (const name of headers) expect(description).toContain(`\`${name}\``)
  expect(Object.keys(responses?.Error?.headers as JsonObject)).toEqual([...headers, 'retry-after'])
})

test('every reference has a target, and none of our own keywords is left', () => {
  const own = Type.Object({ html: Type.String({ 'x-nul': true }) })
  const common = {
    summary: 'x',
    area: 'operation',
    permission: 'full',
    limit: 'general',
    responses: {},
  } as const
  const extra = route('POST', '/extra', { ...common, body: own, handle: async () => ({ status: 200 }) })
  const document = describeApi([...ROUTES, extra], 'https://api.test')
  const text = JSON.stringify(document)
  expect(text).not.toContain('x-nul')
  for (const [, pointer] of text.matchAll(/"\$ref":"#\/([^"]+)"/g)) {
    const target = (pointer as string)
      .split('/')
      .reduce<unknown>((at, part) => (at as JsonObject)?.[part], document)
    expect(target, pointer).toBeDefined()
  }
})

test('the reference has every operation, and markup in descriptions is escaped', () => {
  const common = { area: 'operation', permission: 'full', limit: 'general', responses: {} } as const
  const odd = route('GET', '/odd', {
    ...common,
    summary: '<script>alert(1)</script>',
    handle: async () => ({ status: 200 }),
  })
  const groups = listGroups(describeApi([...ROUTES, odd], 'https://api.test'))
  expect(groups.map(({ slug }) => slug)).toEqual(['api-keys', 'suppressions', 'usage', 'operation'])
  const text = groups
    .flatMap(({ operations }) => operations)
    .map((operation) => renderOperation(operation, 'https://api.test'))
    .join('')
  expect(text).not.toMatch(/<script|<link|<img|@import|url\(|src=/i)
  for (const { method, path } of ROUTES) {
    expect(text).toContain(
      `<b class="${method}">${method}</b> <code>${path.replace(/:(\w+)/g, '{$1}')}</code>`,
    )
  }
})

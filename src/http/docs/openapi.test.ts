import Type from 'typebox'
import { expect, test } from 'vitest'
import { startApi } from '../../../test/support/api.ts'
import { suppressionRoutes } from '../../suppressions/suppressions-routes.ts'
import { apiKeyRoutes } from '../../teams/api-keys-routes.ts'
import { usageRoutes } from '../../teams/usage-routes.ts'
import { route } from '../route.ts'
import { docsRoutes } from './docs-routes.ts'
import { describeApi } from './openapi.ts'
import type { JsonObject } from './openapi-json.ts'

const ROUTES = [...apiKeyRoutes, ...suppressionRoutes, ...usageRoutes]
type Documented = Record<string, Record<string, JsonObject>>

test('200 without a key for /openapi.json, with every route of the table in it and itself', async (t) => {
  const routes = [...ROUTES, ...docsRoutes(ROUTES, 'https://api.test')]
  const api = await startApi({ routes })
  t.onTestFinished(() => api.stop())
  const { json } = await api.as(null).get('/openapi.json')
  expect(json).toMatchObject({
    openapi: '3.1.0',
    info: { version: '1.0.0' },
    servers: [{ url: 'https://api.test' }],
  })
  const documented = Object.entries(json.paths as Documented).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  const table = routes.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`)
  expect(documented.sort()).toEqual(table.sort())
})

test('every operation has its own id, its errors, and headers on its success', () => {
  const document = describeApi(ROUTES, 'https://api.test')
  const operations = Object.values(document.paths as Documented).flatMap((methods) => Object.values(methods))
  expect(new Set(operations.map((operation) => operation.operationId)).size).toBe(ROUTES.length)
  for (const operation of operations) {
    const responses = operation.responses as Documented
    for (const status of ['401', '403', '429', '500', '503']) expect(responses).toHaveProperty(status)
    const success = Object.entries(responses).find(([status]) => status.startsWith('2'))
    expect(success?.[1]?.headers).toHaveProperty('ratelimit-remaining')
  }
})

test('every reference leads somewhere, and no keyword of our own is left', () => {
  const own = Type.Object({ html: Type.String({ 'x-nul': true }) })
  const common = { summary: 'x', tag: 'x', permission: 'full', limit: 'general', responses: {} } as const
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

test('200 for /docs: all operations, no script, nothing from elsewhere, markup in descriptions shown as text', async (t) => {
  const common = { tag: 'x', permission: 'full', limit: 'general', responses: {} } as const
  const odd = route('GET', '/odd', {
    ...common,
    summary: '<script>alert(1)</script>',
    handle: async () => ({ status: 200 }),
  })
  const api = await startApi({ routes: docsRoutes([...ROUTES, odd], 'https://api.test') })
  t.onTestFinished(() => api.stop())
  const { status, text, headers } = await api.as(null).get('/docs')
  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/)
  expect(text).not.toMatch(/<script|<link|<img|@import|url\(|src=/i)
  for (const { method, path } of ROUTES) {
    expect(text).toContain(
      `<b class="${method}">${method}</b> <code>${path.replace(/:(\w+)/g, '{$1}')}</code>`,
    )
  }
})

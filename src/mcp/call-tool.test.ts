import fc from 'fast-check'
import { fastify } from 'fastify'
import { describe, expect, test } from 'vitest'
import { API_ROUTES, OPERATOR_ROUTES } from '../app/routes.ts'
import type { Route } from '../http/route/route.ts'
import { callTool, type InnerReply, type InnerRequest } from './call-tool.ts'
import { type CompiledTool, compileTools } from './compile-tool.ts'
import { TOOLS } from './tools.ts'

const ROUTES: readonly Route[] = [...API_ROUTES, ...OPERATOR_ROUTES]
const KEY_PERMISSIONS: ReadonlySet<Route['permission']> = new Set(['send', 'full'])
const ODD_VALUES = [
  '..',
  '.',
  '../..',
  '../operator/teams',
  'metrics',
  'export',
  'batch',
  '%2e%2e',
  'a/../b',
  'a?b',
  'a#b',
  '\\',
  ' ',
  '\t',
]

/** Answers each request with the name of the route that it reaches. */
const server = fastify({ routerOptions: { maxParamLength: 4_096 } })
for (const { method, path, operationId, summary } of ROUTES) {
  server.route({ method, url: path, handler: async () => ({ reached: operationId ?? summary }) })
}

describe('no route without a permission of API keys is reachable by a tool:', () => {
  const named = ROUTES.filter(
    ({ permission, operationId }) => operationId && !KEY_PERMISSIONS.has(permission),
  )

  test('none can be made into a tool', () => {
    expect(new Set(named.map(({ permission }) => permission))).toEqual(
      new Set(['public', 'operator', 'member', 'user']),
    )
    for (const { operationId = '' } of named) {
      expect(() => compileTools([{ name: 'tool', operationId }], ROUTES), operationId).toThrow(
        'is not for API keys',
      )
    }
  })

  test.each(compileTools(TOOLS, ROUTES).map((tool) => [tool.json.name, tool] as const))(
    '%s reaches only its own',
    async (_name, tool) => {
      expect(KEY_PERMISSIONS).toContain(tool.route.permission)
      const reached = new Set<string>()
      const callRoute = async (request: InnerRequest): Promise<InnerReply> => {
        const reply = await server.inject(request)
        if (reply.statusCode === 200) reached.add(reply.json().reached)
        return reply
      }
      const context = { authorization: '', userAgent: undefined, ipAddress: '', callRoute, routes: ROUTES }
      const call = (value: string) => {
        const filled = Object.fromEntries(tool.params.map((param) => [param, value]))
        return callTool(tool, { ...filled, ...(tool.takesConfirm && { confirm: true }) }, context)
      }
      for (const value of ['x', ...ODD_VALUES]) await call(value)
      await fc.assert(
        fc.asyncProperty(
          fc.string({ unit: 'binary', maxLength: 20 }),
          async (value) => void (await call(value)),
        ),
        {
          numRuns: tool.params.length === 0 ? 1 : 50,
        },
      )
      expect([...reached]).toEqual([tool.route.operationId])
    },
  )
})

test('a tool of an unknown route does not compile', () => {
  expect(() => compileTools([{ name: 'tool', operationId: 'doAnything' }], ROUTES)).toThrow('doAnything')
})

test('an error, and no request, when a key or a filter is not text', async () => {
  const tools = compileTools(TOOLS, ROUTES)
  const callRoute = () => Promise.reject(new Error('no request was expected'))
  const context = { authorization: '', userAgent: undefined, ipAddress: '', callRoute, routes: ROUTES }
  const call = async (name: string, given: object) => {
    const tool = tools.find(({ json }) => json.name === name)
    const { content, isError } = await callTool(tool as CompiledTool, { ...given }, context)
    return [isError, content[0]?.text]
  }
  const isNoKey = [true, 'The argument idempotency_key must be a string.']
  // The texts of all objects are equal.
  for (const key of [{ order: 1 }, ['a'], 5, null])
    expect(await call('send_email', { subject: 'a', idempotency_key: key })).toEqual(isNoKey)
  for (const limit of [{}, [{}], [[1]]])
    expect(await call('list_emails', { limit })).toEqual([true, 'The argument limit must not be an object.'])
})

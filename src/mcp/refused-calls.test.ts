import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { startApi } from '../../test/support/api.ts'
import { API_ROUTES } from '../app/routes.ts'
import { NO_TEAM } from '../http/route/answer.ts'
import { callTool, type InnerReply, type InnerRequest } from './call-tool.ts'
import { compileTools } from './compile-tool.ts'
import { TOOLS } from './tools.ts'

/** The time limit for the arrival of a request. Timers end in the order of their times. */
const ARRIVAL_MS = 5

test('429 for each tool whose request is refused before its body is read, and no timer is left that would end it', async () => {
  const api = await startApi({
    routes: API_ROUTES,
    server: {
      limiter: { admit: async () => ({ ...NO_TEAM, isAdmitted: false, remaining: 0 }) },
      connections: { requestTimeoutMs: ARRIVAL_MS },
    },
  })
  onTestFinished(() => api.stop())
  const team = await api.givenTeam()
  const ended: unknown[] = []
  api.server.server.on('clientError', (error) => ended.push(error))
  const context = {
    authorization: `Bearer ${team.token}`,
    userAgent: undefined,
    ipAddress: '',
    routes: API_ROUTES,
    callRoute: (request: InnerRequest): Promise<InnerReply> => api.server.inject(request),
  }
  for (const tool of compileTools(TOOLS, API_ROUTES)) {
    const params = Object.fromEntries(tool.params.map((name) => [name, 'x']))
    const body = Object.fromEntries(tool.body.map((name) => [name, 'x']))
    const given = { ...params, ...body, ...(tool.takesConfirm && { confirm: true }) }
    const { _meta } = await callTool(tool, given, context)
    expect(_meta?.['sendwright/status'], tool.json.name).toBe(429)
  }
  await pause(2 * ARRIVAL_MS)
  expect(ended).toEqual([])
})

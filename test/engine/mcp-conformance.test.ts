import { execFile } from 'node:child_process'
import { createServer, request } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { listenHere } from '../support/listen-here.ts'
import { type SharedSendwright, shareSendwright } from '../support/shared-sendwright.ts'

/** The scenarios of the official suite for what Sendwright offers: tools, without streams, prompts and resources. */
const SCENARIOS = ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection']
const SUITE = join(import.meta.dirname, '../../node_modules/@modelcontextprotocol/conformance/dist/index.js')
const run = promisify(execFile)
let service: SharedSendwright
let url = ''

beforeAll(async () => {
  service = await shareSendwright('capture')
  url = await startKeyProxy((await service.givenTeam()).token)
})

/** The suite sends no Authorization header, so a proxy adds it. */
async function startKeyProxy(token: string): Promise<string> {
  const proxy = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${token}` }
    const onward = request(`${service.url}${incoming.url}`, { method: incoming.method, headers }, (reply) => {
      outgoing.writeHead(reply.statusCode ?? 500, reply.headers)
      reply.pipe(outgoing)
    })
    incoming.pipe(onward)
  })
  return `${(await listenHere(proxy)).url}/mcp`
}

test.each(SCENARIOS)('conforms: %s', async (scenario) => {
  // The suite exits with an error if a check fails.
  const { stdout, stderr } = await run(process.execPath, [
    SUITE,
    'server',
    '--url',
    url,
    '--scenario',
    scenario,
  ])
  expect(stdout + stderr).toMatch(/Passed: ([1-9]\d*)\/\1, 0 failed, 0 warnings/)
})

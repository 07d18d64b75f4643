import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Sender } from '../../../test/support/sendwright.ts'
import { type SharedSendwright, shareSendwright } from '../../../test/support/shared-sendwright.ts'
import { createBridge } from '../src/bridge.ts'

const PACKAGE = join(import.meta.dirname, '..')
let service: SharedSendwright
let ann: Sender

beforeAll(async () => {
  service = await shareSendwright('capture')
  ann = await service.givenSender()
})

test('the official client sends an email over standard input and output', async () => {
  const client = new Client({ name: 'test', version: '1' })
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ['--disable-warning=ExperimentalWarning', join(PACKAGE, 'src/main.ts')],
    env: { SENDWRIGHT_URL: `${service.url}/`, SENDWRIGHT_API_KEY: ann.token },
  })
  await client.connect(transport)
  onTestFinished(() => client.close())
  expect((await client.listTools()).tools.length).toBeGreaterThan(20)
  const result = await client.callTool({
    name: 'send_email',
    arguments: ann.email({ to: 'delivered@simulator.test' }),
  })
  const [{ text } = { text: '' }] = result.content as { text: string }[]
  expect((await ann.settled(JSON.parse(text).id)).status).toBe('delivered')
})

test('a server that does not answer, and one that refuses, give an error of JSON-RPC', async () => {
  const lines: string[] = []
  const write = (line: string) => void lines.push(line)
  const message = '{"jsonrpc":"2.0","id":7,"method":"ping"}'
  await createBridge({ url: 'http://127.0.0.1:1', apiKey: 'sw_x', write })(message)
  await createBridge({ url: service.url, apiKey: 'sw_x', write })(message)
  await createBridge({ url: service.url, apiKey: 'sw_x', write })('no json')
  const [away, refused, wrong] = lines.map((line) => JSON.parse(line))
  expect(away).toMatchObject({ id: 7, error: { code: -32_000 } })
  expect(refused).toMatchObject({ id: 7, error: { message: expect.stringContaining('status 401') } })
  expect(wrong).toMatchObject({ id: null, error: { code: -32_700 } })
})

test('a request whose response is empty gets an error, so that the agent does not wait for it', async () => {
  const lines: string[] = []
  const forward = createBridge({
    url: service.url,
    apiKey: 'sw_x',
    write: (line) => void lines.push(line),
    fetch: async () => new Response(null, { status: 502 }),
  })
  await forward('{"jsonrpc":"2.0","id":7,"method":"ping"}')
  const [answer] = lines.map((line) => JSON.parse(line))
  expect(answer).toMatchObject({ id: 7, error: { message: expect.stringContaining('status 502') } })
})

test('an error about the request as a whole names the request', async () => {
  const lines: string[] = []
  const write = (line: string) => void lines.push(line)
  await createBridge({ url: service.url, apiKey: ann.token, write })('{"jsonrpc":"2.0","id":7,"method":7}')
  const [answer] = lines.map((line) => JSON.parse(line))
  expect(answer).toMatchObject({ jsonrpc: '2.0', id: 7, error: { code: -32_600 } })
})

test('a notification and a response of the agent get no line', async () => {
  const lines: string[] = []
  const forward = createBridge({
    url: service.url,
    apiKey: ann.token,
    write: (line) => void lines.push(line),
  })
  await forward('{"jsonrpc":"2.0","method":"notifications/initialized"}')
  await forward('{"jsonrpc":"2.0","id":7,"result":{}}')
  await forward('{"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"Unknown method."}}')
  expect(lines).toEqual([])
})

test('has no dependencies', () => {
  expect(JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8'))).not.toHaveProperty('dependencies')
})

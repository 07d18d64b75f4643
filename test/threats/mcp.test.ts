import { beforeAll, describe, expect, test } from 'vitest'
import type { Requester } from '../support/client.ts'
import { allAtRest, rowsOf } from '../support/foreign.ts'
import type { Sender } from '../support/sendwright.ts'
import { type SharedSendwright, shareSendwright } from '../support/shared-sendwright.ts'

let service: SharedSendwright
let ann: Sender
let eve: Sender

beforeAll(async () => {
  service = await shareSendwright('capture')
  ann = await service.givenSender()
  eve = await service.givenSender()
})

const rpc = (client: Pick<Requester, 'post'>, method: string, params: object = {}, headers = {}) =>
  client.post('/mcp', { jsonrpc: '2.0', id: 1, method, params }, headers)
const call = (client: Pick<Requester, 'post'>, name: string, args: object = {}) =>
  rpc(client, 'tools/call', { name, arguments: args })

interface Listed {
  name: string
  inputSchema: { properties: Record<string, object>; required?: string[] }
  annotations: { readOnlyHint: boolean; destructiveHint: boolean }
}
const toolsOf = async (client: Requester): Promise<Listed[]> =>
  (await rpc(client, 'tools/list')).json.result.tools

describe('a key', () => {
  test('is required, and a session is none', async () => {
    for (const token of [null, 'sw_wrong']) {
      const reply = await fetch(`${service.url}/mcp`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
        body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
      })
      expect(reply.status).toBe(401)
    }
  })

  test('for sending has only the tools of its permission, and cannot call others by name', async () => {
    const key = await ann.givenKey({ permission: 'send' })
    const tools = await toolsOf(key)
    expect(tools.map(({ name }) => name).sort()).toEqual([
      'cancel_email',
      'get_email',
      'send_email',
      'validate_address',
    ])
    const others = (await toolsOf(ann)).filter(({ name }) => !tools.some((tool) => tool.name === name))
    for (const { name } of others) {
      expect((await call(key, name, { id: 'x', confirm: true })).json.error).toMatchObject({ code: -32_602 })
    }
  })

  test('that was revoked calls nothing', async () => {
    const key = await ann.givenKey()
    expect((await ann.delete(`/api-keys/${key.keyId}`)).status).toBe(200)
    await expect.poll(async () => (await rpc(key, 'tools/list')).status).toBe(401)
  })
})

test('no more than 31 tools, whose schemas together stay small', async () => {
  const tools = await toolsOf(ann)
  expect(tools.length).toBeLessThanOrEqual(31)
  expect(new Set(tools.map(({ name }) => name)).size).toBe(tools.length)
  expect(JSON.stringify(tools).length).toBeLessThan(40_000)
  const wrong = tools.filter(({ annotations }) => annotations.readOnlyHint && annotations.destructiveHint)
  expect(wrong).toEqual([])
})

test("no tool reads or changes another team's records", async () => {
  const id = await ann.send({ to: 'delivered@simulator.test' })
  await ann.settled(id)
  const contact = (await ann.post('/contacts', { email: 'of-ann@to.test' })).json.id
  const ids = [id, contact, ann.domainId, 'of-ann@to.test']
  await allAtRest(service.db)
  const before = await rowsOf(service.db, ann.id)
  for (const { name, inputSchema } of await toolsOf(eve)) {
    const { id: takesId, confirm } = inputSchema.properties
    if (takesId === undefined) continue
    for (const each of ids) {
      const { json } = await call(eve, name, { id: each, ...(confirm && { confirm: true }) })
      expect(json.result.isError, `${name} ${each}`).toBe(true)
      expect(JSON.stringify(json.result), `${name} ${each}`).not.toContain(ann.domain)
    }
  }
  expect(await rowsOf(service.db, ann.id)).toEqual(before)
})

test.each(['..', '.', '../api-keys', 'export', '%2e%2e', 'a/b', '', '\ud800', 7, null, ['a']])(
  'the id %j reaches no other route',
  async (id) => {
    // The JSON parser refuses half a character, the tool everything else.
    const deleted = await call(ann, 'delete_contact', { id, confirm: true })
    expect(deleted.text).toMatch(/"isError":true|validation_error/)
    const read = await call(ann, 'get_email', { id })
    expect(read.text).toMatch(/"isError":true|validation_error/)
  },
)

test('get_email does not reach the metrics, whose path looks like that of an email', async () => {
  const { json } = await call(ann, 'get_email', { id: 'metrics' })
  expect(json.result).toMatchObject({ isError: true, content: [{ text: 'Not found.' }] })
})

describe('the protocol', () => {
  test('403 for a page of another site, whatever key it has', async () => {
    const reply = await rpc(ann, 'ping', {}, { origin: 'https://evil.example' })
    expect(reply.status).toBe(403)
  })

  test('405 for GET and DELETE, because there are no streams and no sessions', async () => {
    expect([(await ann.get('/mcp')).status, (await ann.delete('/mcp')).status]).toEqual([405, 405])
  })

  test('202 without a body for notifications', async () => {
    const reply = await ann.post('/mcp', { jsonrpc: '2.0', method: 'notifications/initialized' })
    expect([reply.status, reply.text]).toEqual([202, ''])
  })

  test.each([
    [[], -32_600],
    [{ id: 1, method: 'ping' }, -32_600],
    [{ jsonrpc: '2.0', id: {}, method: 'ping' }, -32_600],
    [{ jsonrpc: '2.0', id: 1, method: 'ping', params: [] }, -32_600],
  ])('400 for the message %j', async (message, code) => {
    const { status, json } = await ann.post('/mcp', message)
    expect([status, json.error.code]).toEqual([400, code])
  })

  test('an error for an unknown method, and the id of its request', async () => {
    const { status, json } = await ann.post('/mcp', { jsonrpc: '2.0', id: 'x', method: 'resources/list' })
    expect([status, json.id, json.error.code]).toEqual([200, 'x', -32_601])
  })

  test('400 for an unknown version of the protocol', async () => {
    const reply = await rpc(ann, 'ping', {}, { 'mcp-protocol-version': '1999-01-01' })
    expect(reply.status).toBe(400)
  })

  test('413 for a body over 1 MiB', async () => {
    const reply = await call(ann, 'send_email', { text: 'x'.repeat(1_100_000) })
    expect(reply.status).toBe(413)
  })
})

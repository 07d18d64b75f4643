import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../src/base/ids.ts'
import type { ApiReply } from '../support/api.ts'
import { type Sender, startTestSendwright, type TestSendwright } from '../support/sendwright.ts'

let service: TestSendwright
let ann: Sender
let eve: Sender
/** Something of Ann's of every kind that has an id, by the first part of its path. */
let anns: Record<string, string>
/** The same of Eve's. */
let eves: Record<string, string>
let operations: { method: string; path: string }[]

beforeAll(async () => {
  service = await startTestSendwright({ environment: { SENDWRIGHT_DELIVERY: 'capture' } })
  ann = await service.givenSender()
  eve = await service.givenSender()
  anns = await own(ann)
  eves = await own(eve)
  const { paths } = (await ann.get('/openapi.json')).json as { paths: Record<string, object> }
  operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => ({ method: method.toUpperCase(), path })),
  )
})
afterAll(() => service?.stop())

async function own(sender: Sender): Promise<Record<string, string>> {
  await sender.settled(await sender.send({ to: 'bob@receiver.test' }))
  const { json: captured } = await sender.get('/captured')
  const { json: suppression } = await sender.post('/suppressions', { email: 'gone@receiver.test' })
  const { keyId } = await sender.givenKey()
  return {
    emails: await sender.send({ scheduled_at: new Date(Date.now() + 3_600_000).toISOString() }),
    domains: sender.domainId,
    'api-keys': keyId,
    suppressions: suppression.id,
    captured: captured.data[0].id,
  }
}

/** A body that each route would find nothing wrong with. */
const BODY = { scheduled_at: new Date(Date.now() + 7_200_000).toISOString(), name: 'x', open_tracking: true }

async function call(method: string, path: string): Promise<ApiReply> {
  if (method === 'GET') return eve.get(path)
  if (method === 'DELETE') return eve.delete(path)
  if (method === 'PUT') return eve.put(path, BODY)
  return method === 'PATCH' ? eve.patch(path, BODY) : eve.post(path, BODY)
}

/** Status, header names and body, with the id that was asked for taken out. */
function bareAnswer(reply: ApiReply, id: string): unknown {
  return [reply.status, [...reply.headers.keys()].sort(), reply.text.replaceAll(id, '*')]
}

/** All that the team has in every table, but for what its own requests move. */
async function rowsOf(teamId: string): Promise<string[]> {
  const tables = await service.db.query<{ name: string }>(
    `select table_name as name from information_schema.columns
     where table_schema = 'public' and column_name = 'team_id' and table_name <> 'rate_window'`,
  )
  expect(tables.length).toBeGreaterThan(10)
  const rows = tables.map(({ name }) =>
    service.db.query<{ row: string }>(
      `select (to_jsonb(t) - 'last_used_at')::text as row from ${name} t where team_id = $1 order by 1`,
      [teamId],
    ),
  )
  return (await Promise.all(rows)).flat().map(({ row }) => row)
}

const kindOf = (path: string) => path.split('/')[1] as string
const withId = (path: string, id: string) => path.replace(/\{[^}]+\}/, id)

test('every path with an id is of a kind that is tried here', () => {
  const kinds = operations.filter(({ path }) => path.includes('{')).map(({ path }) => kindOf(path))
  expect([...new Set(kinds)].sort()).toEqual(Object.keys(anns).sort())
})

test("404 at every route with an id of another team's, byte for byte as for one that never was; nothing changes", async () => {
  const before = await rowsOf(ann.id)
  const unknown = newId()
  for (const { method, path } of operations.filter((operation) => operation.path.includes('{'))) {
    const foreign = anns[kindOf(path)] as string
    const reply = await call(method, withId(path, foreign))
    const expected = await call(method, withId(path, unknown))
    expect(reply.status, `${method} ${path}`).toBe(404)
    expect(bareAnswer(reply, foreign), `${method} ${path}`).toEqual(bareAnswer(expected, unknown))
  }
  expect(await rowsOf(ann.id)).toEqual(before)
})

test("404 at every route with an id of one's own, but of another kind", async () => {
  for (const { method, path } of operations.filter((operation) => operation.path.includes('{'))) {
    for (const [kind, id] of Object.entries(eves)) {
      if (kind === kindOf(path)) continue
      expect((await call(method, withId(path, id))).status, `${method} ${path} ${kind}`).toBe(404)
    }
  }
})

test("alike for after and before in every list, whether the id is another team's or never was", async () => {
  const lists = operations.filter(
    ({ method, path }) => method === 'GET' && kindOf(path) in anns && !path.includes('{'),
  )
  expect(lists).toHaveLength(Object.keys(anns).length)
  for (const { path } of lists) {
    for (const where of ['after', 'before']) {
      const foreign = anns[kindOf(path)] as string
      // The neighbour in time: ids order by their time, so that an unknown one stands at the same place.
      const unknown = `${foreign.slice(0, -1)}${foreign.endsWith('0') ? '1' : '0'}`
      const reply = await eve.get(`${path}?limit=10&${where}=${foreign}`)
      const expected = await eve.get(`${path}?limit=10&${where}=${unknown}`)
      expect(bareAnswer(reply, foreign), `${path} ${where}`).toEqual(bareAnswer(expected, unknown))
    }
  }
})

describe('in a query or a body', () => {
  test('nothing is found by the id of another team’s domain, as by none', async () => {
    const reply = await eve.get(`/emails?domain_id=${anns.domains}`)
    const unknown = newId()
    const expected = await eve.get(`/emails?domain_id=${unknown}`)
    expect(reply.json.data).toEqual([])
    expect(bareAnswer(reply, anns.domains as string)).toEqual(bareAnswer(expected, unknown))
  })

  test('422 for a key of another team’s domain, made or changed, with the bytes of one that never was', async () => {
    for (const ask of [
      (id: string) => eve.post('/api-keys', { name: 'x', domain_id: id }),
      (id: string) => eve.put(`/api-keys/${eves['api-keys']}`, { domain_id: id }),
    ]) {
      const [reply, unknown] = [await ask(anns.domains as string), newId()]
      expect(reply.status).toBe(422)
      expect(bareAnswer(reply, anns.domains as string)).toEqual(bareAnswer(await ask(unknown), unknown))
    }
  })

  test('422 for sending from another team’s domain, in any writing, as from one that nobody has', async () => {
    const unknown = await eve.post('/emails', eve.email({ from: 'eve@nobody.test' }))
    const upper = ann.domain.toUpperCase()
    const fullWidth = ann.domain.replace(/[a-z]/g, (letter) =>
      String.fromCodePoint(letter.charCodeAt(0) + 0xfee0),
    )
    for (const domain of [ann.domain, upper, fullWidth, `mail.${ann.domain}`]) {
      const reply = await eve.post('/emails', eve.email({ from: `Ann <ann@${domain}>` }))
      expect(bareAnswer(reply, ''), domain).toEqual(bareAnswer(unknown, ''))
    }
  })

  test('an idempotency key of another team’s is a new one', async () => {
    const email = { from: `a@${ann.domain}`, to: 'delivered@simulator.test', subject: 'x', text: 'x' }
    const first = await ann.post('/emails', email, { 'idempotency-key': 'shared' })
    const second = await eve.post(
      '/emails',
      { ...email, from: `a@${eve.domain}` },
      { 'idempotency-key': 'shared' },
    )
    expect([first.status, second.status]).toEqual([202, 202])
    expect(second.json.id).not.toBe(first.json.id)
  })

  test('what only the server sets is not taken from a request', async () => {
    const past = '2001-01-01 00:00:00'
    const forged = {
      id: newId(),
      team_id: ann.id,
      teamId: ann.id,
      status: 'delivered',
      created_at: past,
      verified_at: past,
    }
    const before = await rowsOf(ann.id)
    const made = [
      await eve.post('/emails', eve.email({ ...forged, message_id: '<x@y.test>', last_event: 'delivered' })),
      await eve.post('/domains', { ...forged, name: 'forged.example', captured: false }),
      await eve.post('/api-keys', { ...forged, name: 'forged', token: `sw_${'x'.repeat(40)}`, prefix: 'x' }),
      await eve.post('/suppressions', { ...forged, email: 'forged@receiver.test', reason: 'complaint' }),
    ]
    expect(made.map(({ status }) => status)).toEqual([202, 201, 201, 201])
    for (const { json, text } of made) {
      expect(json.id).not.toBe(forged.id)
      expect(text).not.toContain(ann.id)
      expect(text).not.toContain('2001-01-01')
    }
    expect(made[2]?.json.token).not.toContain('xxxx')
    expect(made[3]?.json.reason).toBe('manual')
    const email = await eve.get(`/emails/${made[0]?.json.id}`)
    expect(email.json.message_id).toBe(`<${made[0]?.json.id}@${eve.domain}>`)
    await eve.patch(`/domains/${eves.domains}`, { ...forged, name: ann.domain, tls: 'enforced' })
    expect((await eve.get(`/domains/${eves.domains}`)).json).toMatchObject({
      name: eve.domain,
      tls: 'enforced',
    })
    expect(await rowsOf(ann.id)).toEqual(before)
  })
})

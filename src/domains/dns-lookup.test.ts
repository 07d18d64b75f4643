import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startDns, type TestDns } from '../../test/support/dns.ts'
import { withDnsLookup } from './dns-lookup.ts'

let dns: TestDns

beforeAll(async () => {
  dns = await startDns({
    'txt.test': { txt: ['one', `long ${'x'.repeat(400)}`] },
    'empty.test': { a: ['192.0.2.1'] },
    'alias.test': { cname: 'txt.test' },
    'upper.test': { cname: 'Mail.Sendwright.TEST' },
    'loop.test': { cname: 'loop.test' },
    'servfail.test': { fail: 'servfail' },
    'refused.test': { fail: 'refused' },
    'silent.test': { fail: 'timeout' },
  })
})
afterAll(() => dns.close())

const ask = <T>(work: Parameters<typeof withDnsLookup<T>>[2], timeoutMs = 5000) =>
  withDnsLookup([dns.server], timeoutMs, work)

test('records: strings of one TXT record are joined, separate records are not', async () => {
  const answer = await ask(({ txt }) => txt('txt.test'))
  expect(answer.kind).toBe('records')
  expect(answer).toHaveProperty('values', expect.arrayContaining(['one', `long ${'x'.repeat(400)}`]))
})

test('records: a CNAME to TXT records is followed', async () => {
  expect(await ask(({ txt }) => txt('alias.test'))).toHaveProperty('kind', 'records')
})

test('records: a CNAME is returned in lower case', async () => {
  expect(await ask(({ cname }) => cname('upper.test'))).toEqual({
    kind: 'records',
    values: ['mail.sendwright.test'],
  })
})

test.each(['absent.test', 'empty.test', `${'a'.repeat(64)}.test`, 'a..test'])('none: %s', async (name) => {
  expect(await ask(({ txt }) => txt(name))).toEqual({ kind: 'none' })
  expect(await ask(({ cname }) => cname(name))).toEqual({ kind: 'none' })
})

test.each(['servfail.test', 'refused.test'])(
  'unknown, not none, when the server answers %s',
  async (name) => {
    expect(await ask(({ txt }) => txt(name))).toEqual({ kind: 'unknown' })
    expect(await ask(({ cname }) => cname(name))).toEqual({ kind: 'unknown' })
  },
)

test('unknown without an answer, for every lookup after the time limit', async () => {
  const answers = await ask(
    async ({ txt }) => [
      ...(await Promise.all([txt('silent.test'), txt('silent.test')])),
      await txt('txt.test'),
    ],
    300,
  )
  expect(answers).toEqual([{ kind: 'unknown' }, { kind: 'unknown' }, { kind: 'unknown' }])
})

test('unknown if no server listens', async () => {
  const socket = createSocket('udp4').bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const { port } = socket.address()
  await new Promise<void>((resolve) => socket.close(() => resolve()))
  expect(await withDnsLookup([`127.0.0.1:${port}`], 5000, ({ txt }) => txt('txt.test'))).toEqual({
    kind: 'unknown',
  })
})

test('no lookup hangs in a loop of CNAMEs', async () => {
  expect(await ask(({ txt }) => txt('loop.test'))).not.toHaveProperty('kind', 'records')
})

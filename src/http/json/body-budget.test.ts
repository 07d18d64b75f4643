import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, startApi } from '../../../test/support/api.ts'
import type { GivenTeam } from '../../../test/support/teams.ts'
import { route } from '../route/route.ts'
import { createBodyBudget } from './body-budget.ts'

const MIB = 1024 * 1024
const ofSize = (bytes: number) => ({ headers: { 'content-length': String(bytes) }, bytesMax: 80 * MIB })
const CHUNKED = { headers: { 'transfer-encoding': 'chunked' }, bytesMax: 80 * MIB }

test("uncounted up to 1 MiB, and if larger than the route's limit", () => {
  const budget = createBodyBudget()
  expect(budget.take('a', ofSize(MIB))).toBeNull()
  expect(budget.take('a', ofSize(81 * MIB))).toBeNull()
  expect(budget.take('a', { headers: {}, bytesMax: 80 * MIB })).toBeNull()
  expect(budget.take('a', { ...CHUNKED, bytesMax: MIB })).toBeNull()
})

test('rejected above half of the memory for one team, while other teams have room', () => {
  const budget = createBodyBudget()
  for (let count = 0; count < 4; count++) budget.take('a', ofSize(32 * MIB))
  expect(() => budget.take('a', ofSize(2 * MIB))).toThrow('Too many large requests')
  budget.take('b', CHUNKED)
  expect(() => budget.take('b', ofSize(2 * MIB))).toThrow('Too many large requests')
  for (const team of ['c', 'd', 'e', 'f']) budget.take(team, ofSize(10 * MIB))
})

test('rejected above 256 MiB in total', () => {
  const budget = createBodyBudget()
  for (const team of ['a', 'b', 'c']) budget.take(team, CHUNKED)
  expect(() => budget.take('d', ofSize(17 * MIB))).toThrow('Too many large requests')
  budget.take('d', ofSize(16 * MIB))
})

test('released once, however often the function is called', () => {
  const budget = createBodyBudget(100 * MIB)
  const release = budget.take('a', CHUNKED)
  budget.take('b', ofSize(20 * MIB))
  release?.()
  release?.()
  budget.take('c', CHUNKED)
  expect(() => budget.take('d', ofSize(2 * MIB))).toThrow('Too many large requests')
})

test('reserved as soon as memory is free, rejected if none is free in time', async () => {
  const budget = createBodyBudget(100 * MIB)
  const release = budget.take('a', CHUNKED)
  await expect(budget.takeInTime('b', ofSize(40 * MIB), 1)).rejects.toThrow('Too many large requests')
  const waiting = budget.takeInTime('b', ofSize(40 * MIB), 60_000)
  release?.()
  const second = await waiting
  expect(() => budget.take('c', ofSize(70 * MIB))).toThrow('Too many large requests')
  second?.()
})

const LARGE = route('POST', '/large', {
  summary: 'x',
  area: 'operation',
  permission: 'full',
  limit: 'general',
  responses: {},
  bodyBytesMax: 100 * MIB,
  handle: async () => ({ status: 200, json: {} }),
})

let api: Api
let team: GivenTeam
beforeAll(async () => {
  api = await startApi({ routes: [LARGE], server: { connections: { bodyRoomMs: 100 } } })
  team = await api.givenTeam()
})
afterAll(() => api.stop())

/** Announces a body that never arrives. */
function announce(token: string, bytes: number): Socket {
  const socket = connect(Number(new URL(api.url).port), '127.0.0.1', () =>
    socket.write(
      `POST /large HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${bytes}\r\n\r\n{`,
    ),
  )
  return socket
}

/** Sends two bytes in chunks, which count as the route's largest body. */
const sendChunked = (token: string) =>
  fetch(`${api.url}/large`, {
    method: 'POST',
    body: new Blob(['{}']).stream(),
    duplex: 'half',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  } as RequestInit)
const statusOf = async (token: string) => (await sendChunked(token)).status

test('503 with Retry-After while the team uses its share, 200 for another team and after the release', async () => {
  const other = await api.givenTeam()
  const socket = announce(team.token, 100 * MIB)
  try {
    await expect.poll(() => statusOf(team.token)).toBe(503)
    const reply = await sendChunked(team.token)
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await reply.json()).toEqual({
      statusCode: 503,
      name: 'service_unavailable',
      message: 'Too many large requests are being received at once.',
    })
    expect(await statusOf(other.token)).toBe(200)
  } finally {
    socket.destroy()
  }
  await expect.poll(() => statusOf(team.token)).toBe(200)
})

test('200 repeatedly, because each response releases the memory', async () => {
  for (let count = 0; count < 5; count++) expect(await statusOf(team.token)).toBe(200)
})

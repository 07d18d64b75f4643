import { hash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, startApi } from '../../../test/support/api.ts'
import { route } from '../route/route.ts'

const MIB = 1024 * 1024
const ECHO = route('POST', '/echo', {
  summary: 'x',
  area: 'operation',
  permission: 'public',
  limit: 'general',
  responses: {},
  bodyBytesMax: 4 * MIB,
  handle: async ({ body }) => ({ status: 200, json: hash('sha256', JSON.stringify(body)) }),
})

let api: Api
beforeAll(async () => {
  api = await startApi({ routes: [ECHO] })
})
afterAll(() => api.stop())

async function post(body: string | ReadableStream<Uint8Array>): Promise<{ status: number; json: unknown }> {
  const headers = { 'content-type': 'application/json' }
  const reply = await fetch(`${api.url}/echo`, {
    method: 'POST',
    headers,
    body,
    duplex: 'half',
  } as RequestInit)
  return { status: reply.status, json: await reply.json() }
}

/** Sends text without a Content-Length. */
function inChunks(text: string): ReadableStream<Uint8Array> {
  const octets = Buffer.from(text)
  const chunks = Array.from({ length: Math.ceil(octets.length / 10_000) }, (_, index) =>
    octets.subarray(index * 10_000, (index + 1) * 10_000),
  )
  return ReadableStream.from(chunks)
}

/** Returns JSON of this many octets that differ at each position. */
function jsonOf(bytes: number): string {
  let text = ''
  for (let at = 0; text.length < bytes; at++) text += `${at},`
  return JSON.stringify({ text: text.slice(0, bytes - '{"text":""}'.length) })
}

test.each([11, 5_000, 100_000, 300_000, 4 * MIB])('200 for an unchanged body of %i octets', async (bytes) => {
  const text = jsonOf(bytes)
  expect(text.length).toBe(bytes)
  const expected = { status: 200, json: hash('sha256', text) }
  expect(await post(text)).toEqual(expected)
  expect(await post(inChunks(text))).toEqual(expected)
})

test("413 for one octet above the route's limit, with and without a Content-Length", async () => {
  const text = jsonOf(4 * MIB + 1)
  expect((await post(text)).status).toBe(413)
  expect((await post(inChunks(text))).status).toBe(413)
})

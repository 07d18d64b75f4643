import { expect, test } from 'vitest'
import { ApiError } from '../../lib/api-error.ts'
import { hashRequest } from './hash-request.ts'
import type { JsonForm } from './json.ts'
import { createLargeJsonParser } from './large-json.ts'

const parseLarge = createLargeJsonParser()
const form: JsonForm = { expects: 'object', hasBuffers: true }
const read = (body: unknown, given = form) =>
  parseLarge(Buffer.from(JSON.stringify(body)), { teamId: 'a', form: given, isHashed: true })
const octets = Buffer.from(Array.from({ length: 90_000 }, (_, index) => index % 256))

test('a body is parsed as on this thread, with the same hash', async () => {
  const body = { to: 'a@x.test', html: '😀\u0000\ud800', tags: [{ name: 'n', value: -0.5 }], x: null }
  expect(await read(body)).toEqual({ value: body, hash: new Uint8Array(hashRequest(body)) })
  expect(await parseLarge(Buffer.from('{}'), { teamId: 'a', form, isHashed: false })).toEqual({
    value: {},
    hash: null,
  })
})

test('items of a list keep their order, however many there are', async () => {
  for (const count of [0, 1, 100, 101, 9_999]) {
    const body = Array.from({ length: count }, (_, index) => [index])
    expect((await read(body, { expects: 'array' })).value).toEqual(body)
  }
})

test('large files become octets, from either form, and the hash of the body stays the same', async () => {
  const body = {
    attachments: [
      { filename: 'a', content: octets.toString('base64') },
      { filename: 'b', content: octets.toJSON() },
      { filename: 'c', content: 'YQ==' },
      null,
    ],
  }
  const { value, hash } = await read(body)
  expect(value).toEqual({
    attachments: [
      { filename: 'a', content: { type: 'Buffer', data: octets } },
      { filename: 'b', content: { type: 'Buffer', data: new Uint8Array(octets) } },
      { filename: 'c', content: 'YQ==' },
      null,
    ],
  })
  expect(Buffer.from(hash as Uint8Array)).toEqual(hashRequest(body))
  const batch = await read([body], { expects: 'array', hasBuffers: true })
  expect(batch.value).toEqual([value])
})

test.each([
  ['base64', '*'],
  ['Unicode text', '\ud800'],
  ['text without U+0000', '\u0000'],
])('a file that is not %s becomes a short one with that fault', async (_what, fault) => {
  const attachments = [{ content: `${'A'.repeat(90_000)}${fault}` }]
  expect((await read({ attachments })).value).toEqual({ attachments: [{ content: fault }] })
})

test('on other routes, no field is treated as a file', async () => {
  const body = { attachments: [{ content: octets.toString('base64') }] }
  expect((await read(body, { expects: 'object' })).value).toEqual(body)
})

test("422 with the parser's message, and the thread continues", async () => {
  const refused = parseLarge(Buffer.from('{"a":1,"a":2}'), { teamId: 'a', form, isHashed: false })
  await expect(refused).rejects.toThrow('The request body has the field a twice.')
  await expect(refused).rejects.toBeInstanceOf(ApiError)
  expect((await read({})).value).toEqual({})
})

test('many simultaneous bodies each return their own value', async () => {
  const values = await Promise.all(Array.from({ length: 20 }, (_, number) => read({ number })))
  expect(values.map(({ value }) => value)).toEqual(Array.from({ length: 20 }, (_, number) => ({ number })))
})

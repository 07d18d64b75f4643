import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { constantReply } from './constant-reply.ts'

const TEXT = 'the same text again and again, '.repeat(2_000)
const UNPACK = { br: brotliDecompressSync, gzip: gunzipSync }

test('made once, compressed once for each coding, and kept', async () => {
  let count = 0
  const answer = constantReply({ type: 'text/plain', read: () => `${TEXT}${++count}` })
  const plain = await answer({})
  expect(plain).toMatchObject({ status: 200, type: 'text/plain', headers: { vary: 'accept-encoding' } })
  expect(String(plain.bytes)).toBe(`${TEXT}1`)
  for (const coding of ['br', 'gzip'] as const) {
    const [first, second] = await Promise.all([
      answer({ 'accept-encoding': coding }),
      answer({ 'accept-encoding': coding }),
    ])
    expect(first.headers).toMatchObject({ 'content-encoding': coding })
    expect(first.bytes).toBe(second.bytes)
    expect(String(UNPACK[coding](first.bytes as Buffer))).toBe(`${TEXT}1`)
  }
})

test('304 for its entity tag, compared weakly, alone or in a list, and for any', async () => {
  const answer = constantReply({
    type: 'text/plain',
    read: () => TEXT,
    headers: { 'cache-control': 'public' },
  })
  const { headers = {} } = await answer({})
  const entityTag = String(headers.etag)
  for (const known of [entityTag, entityTag.replace('W/', ''), `"other", ${entityTag}`, '*']) {
    const reply = await answer({ 'if-none-match': known, 'accept-encoding': 'br' })
    expect(reply).toMatchObject({
      status: 304,
      bytes: '',
      headers: { etag: entityTag, 'cache-control': 'public' },
    })
  }
  expect((await answer({ 'if-none-match': '"other"' })).status).toBe(200)
})

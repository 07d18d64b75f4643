import { createDecipheriv, randomBytes } from 'node:crypto'
import { zstdDecompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { countTurns } from '../../../test/support/loop-turns.ts'
import { bodyContext, deriveBodyKey, sealBody, unsealBody } from './body-cipher.ts'

const KEY = randomBytes(32)
const CONTEXT = bodyContext({ teamId: 't', emailId: 'e' })
const TEMPLATE = Buffer.from(
  '<p style="margin:0">Dear customer, thank you for your order at our shop.</p>\r\n'.repeat(20),
)
const MESSAGES: [name: string, Buffer][] = [
  ['empty', Buffer.alloc(0)],
  ['short', Buffer.from('Hello')],
  ['of a template', Buffer.concat([Buffer.from('Hello Ann\r\n'), TEMPLATE])],
  ['random, of 300 KB', randomBytes(300_000)],
  ['repetitive, of 5 MB', Buffer.alloc(5_000_000, 'abc\r\n')],
]

test.each(MESSAGES)(
  'a message comes back byte for byte, with and without a dictionary: %s',
  async (_, message) => {
    for (const dictionary of [null, TEMPLATE]) {
      const sealed = sealBody(message, KEY, CONTEXT, dictionary)
      expect((await unsealBody(sealed, KEY, CONTEXT, dictionary)).equals(message)).toBe(true)
    }
  },
)

test('a dictionary makes messages of its template small', () => {
  const message = Buffer.concat([Buffer.from('Hello Ann\r\n'), TEMPLATE.subarray(0, 300)])
  const [alone = 0, against = 0] = [null, TEMPLATE].map(
    (dictionary) => sealBody(message, KEY, CONTEXT, dictionary).length,
  )
  expect(against).toBeLessThan(alone / 2)
})

test('the form is AES-256-GCM of one zstd frame, with the tag at the end', () => {
  const message = Buffer.from('Hello')
  const sealed = sealBody(message, KEY, CONTEXT, null)
  const decipher = createDecipheriv('aes-256-gcm', KEY, Buffer.alloc(12))
  decipher.setAAD(Buffer.from(CONTEXT))
  decipher.setAuthTag(sealed.subarray(-16))
  const frame = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])
  expect(zstdDecompressSync(frame)).toEqual(message)
})

test('nothing opens with another key, for another email, or after a changed byte', async () => {
  const sealed = sealBody(Buffer.from('Hello'), KEY, CONTEXT, null)
  const changed = Buffer.from(sealed)
  changed[0] = (changed[0] ?? 0) ^ 1
  const other = bodyContext({ teamId: 't', emailId: 'f' })
  await expect(unsealBody(sealed, randomBytes(32), CONTEXT, null)).rejects.toThrow()
  await expect(unsealBody(sealed, KEY, other, null)).rejects.toThrow()
  await expect(unsealBody(changed, KEY, CONTEXT, null)).rejects.toThrow()
})

test.each([
  ['small when sealed', Buffer.alloc(30_000_000, 'abc\r\n')],
  ['as large when sealed', randomBytes(37_000_000)],
])('a large message that is %s does not hold the event loop', async (_, message) => {
  const sealed = sealBody(message, KEY, CONTEXT, TEMPLATE)
  expect(await countTurns(() => unsealBody(sealed, KEY, CONTEXT, TEMPLATE))).toBeGreaterThan(10)
  // Nothing is decompressed before all of it is authentic.
  const cutOff = sealed.subarray(0, -1)
  await expect(unsealBody(cutOff, KEY, CONTEXT, TEMPLATE)).rejects.toThrow()
})

test('decrypting a large message does not hold the event loop', async () => {
  const sealed = sealBody(randomBytes(37_000_000), KEY, CONTEXT, null)
  const open = () => unsealBody(sealed, KEY, 'another email', null)
  await expect(open()).rejects.toThrow()
  expect(await countTurns(open)).toBeGreaterThan(10)
})

test('the key of a body depends on its row and on the installation', () => {
  const [master, row] = [randomBytes(32), randomBytes(32)]
  const key = deriveBodyKey(master, row)
  expect(key).toHaveLength(32)
  expect(deriveBodyKey(master, randomBytes(32))).not.toEqual(key)
  expect(deriveBodyKey(randomBytes(32), row)).not.toEqual(key)
  expect(deriveBodyKey(master, row)).toEqual(key)
})

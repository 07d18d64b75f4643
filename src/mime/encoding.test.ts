import { randomBytes } from 'node:crypto'
import { createZstdCompress, zstdCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { countTurns } from '../../test/support/loop-turns.ts'
import { decodeMessage, decodeMessageHead, decompressFrame, encodeMessage } from './encoding.ts'

/** On both sides of the sizes at which the header of a frame has another form, or where threads begin. */
const SIZES = [0, 1, 255, 256, 65_791, 65_792, 262_143, 262_144, 1_500_000]

test.each(SIZES)(
  'a message of %i bytes comes back byte for byte, whatever form its frame has',
  async (size) => {
    for (const message of [randomBytes(size), Buffer.alloc(size, 'abc\r\n')]) {
      const { encoding, bytes } = await encodeMessage(Buffer.from(message))
      expect((await decodeMessage(encoding, bytes)).equals(message)).toBe(true)
      const stream = createZstdCompress()
      stream.end(message)
      for (const frame of [zstdCompressSync(message), Buffer.concat(await stream.toArray())]) {
        expect((await decompressFrame(frame)).equals(message)).toBe(true)
      }
    }
  },
)

test('a few KB that are a message of 30 MB do not hold the event loop', async () => {
  const frame = zstdCompressSync(Buffer.alloc(30_000_000, 'abc\r\n'))
  expect(frame.length).toBeLessThan(10_000)
  expect(await countTurns(() => decodeMessage('zstd', frame))).toBeGreaterThan(10)
})

test('a small message is decoded at once', async () => {
  const frame = zstdCompressSync(Buffer.alloc(200_000, 'abc\r\n'))
  expect(await countTurns(() => decodeMessage('zstd', frame))).toBe(1)
})

test.each([
  ['empty', Buffer.alloc(0)],
  ['short', Buffer.from('x')],
  ['none', Buffer.from('This is no frame at all.')],
  ['cut off', zstdCompressSync(randomBytes(1000)).subarray(0, 500)],
  ['large and cut off', zstdCompressSync(randomBytes(1_000_000)).subarray(0, 500_000)],
])('a damaged frame is an error: %s', async (_, frame) => {
  await expect(decodeMessage('zstd', frame)).rejects.toThrow()
})

test('the head of a message is decoded only as far as asked, also where it was cut off', async () => {
  const start = Buffer.from('Subject: hello\r\n\r\n')
  const message = Buffer.concat([start, Buffer.alloc(30_000_000, 'abc\r\n')])
  const frame = zstdCompressSync(message)
  const decoded = await decodeMessageHead('zstd', frame, 200_000)
  expect(decoded.length).toBeGreaterThanOrEqual(200_000)
  expect(decoded.length).toBeLessThan(400_000)
  expect(message.indexOf(decoded)).toBe(0)
  const random = randomBytes(1_000_000)
  const cut = zstdCompressSync(random).subarray(0, 160 * 1024)
  const whole = await decodeMessageHead('zstd', cut, 200_000)
  expect(whole.length).toBeGreaterThanOrEqual(128 * 1024)
  expect(random.indexOf(whole)).toBe(0)
  expect(await decodeMessageHead('zstd', zstdCompressSync(start), 200_000)).toEqual(start)
})

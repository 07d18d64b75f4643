import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { forwardLines } from './forward-lines.ts'

test('only whole lines are written, also when they arrive in pieces, in the middle of a character', async () => {
  const stream = new PassThrough()
  const written: string[] = []
  forwardLines(stream, (lines) => written.push(lines))
  const text = Buffer.from('one\ntwö\nthree\nfour')
  for (const piece of [text.subarray(0, 2), text.subarray(2, 7), text.subarray(7)]) {
    stream.write(piece)
  }
  stream.end()
  await once(stream, 'close')
  expect(written.every((lines) => lines.endsWith('\n'))).toBe(true)
  expect(written.join('')).toBe('one\ntwö\nthree\nfour\n')
})

import { expect, test } from 'vitest'
import { replaceInSlices } from './text-slices.ts'

const toLf = (text: string) => text.replaceAll('\r\n', '\n')

test('the same as one replacement over the whole text, for any ends of slices', () => {
  for (const piece of ['\r\n', 'a\r\n', '\r\r\n', '\n', 'ab\r\nc', '😀\r\n']) {
    for (const lead of ['', 'x', 'xy']) {
      const text = lead + piece.repeat(300_000)
      expect(replaceInSlices(text, toLf) === toLf(text)).toBe(true)
    }
  }
})

test('no slice is much longer than the others, and none cuts a character in two', () => {
  const lengths: number[] = []
  const text = '😀'.repeat(1_000_001)
  const kept = replaceInSlices(text, (slice) => {
    lengths.push(slice.length)
    return slice.isWellFormed() ? slice : ''
  })
  expect(kept === text).toBe(true)
  expect(Math.max(...lengths)).toBeLessThanOrEqual(32 * 1024 + 1)
})

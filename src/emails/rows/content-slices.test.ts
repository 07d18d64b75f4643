import { expect, test } from 'vitest'
import { joinSlices } from './content-slices-queries.ts'

test('undefined without a row; the row itself, not copied, for a content in one slice', async () => {
  const row = { message: Buffer.from('a'), encoding: 'identity' }
  expect(await joinSlices([])).toBeUndefined()
  expect(await joinSlices([row])).toBe(row)
})

test('joined: the fields of the first row, with the content of all rows', async () => {
  const rows = [
    { message: Buffer.from('ab'), encoding: 'zstd' },
    { message: Buffer.from('c'), encoding: null },
  ]
  expect(await joinSlices(rows)).toEqual({ message: Buffer.from('abc'), encoding: 'zstd' })
})

test('joined for large rows, whose memory is freed afterwards', async () => {
  const rows = [Buffer.alloc(100_000, 'a'), Buffer.alloc(100_000, 'b')].map((message) => ({ message }))
  expect((await joinSlices(rows))?.message.toString()).toBe('a'.repeat(100_000) + 'b'.repeat(100_000))
  expect(rows.map(({ message }) => message.length)).toEqual([0, 0])
})

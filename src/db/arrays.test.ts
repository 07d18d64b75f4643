import { expect, inject, onTestFinished, test } from 'vitest'
import { arrays } from './arrays.ts'
import { openDb } from './db.ts'
import type { Pieces } from './pieces.ts'

async function roundTrip(type: string, array: Buffer | Pieces): Promise<unknown[]> {
  const db = openDb(inject('postgresUrl'), { connectionsMax: 1, timeoutMs: 20_000, name: 'test' })
  onTestFinished(() => db.close())
  const rows = await db.query<{ value: unknown }>(`select value from unnest($1::${type}[]) as value`, [array])
  return rows.map(({ value }) => value)
}

test('texts arrive unchanged, whether all are ASCII or not', async () => {
  const ascii = ['', 'a', null, 'line\r\nline', '\u0001', 'x'.repeat(10_000)]
  const texts = ['', 'é', null, 'Zürich – €', '\u{1f600}', 'plain', 'x'.repeat(10_000)]
  expect(await roundTrip('text', arrays.text(ascii))).toEqual(ascii)
  expect(await roundTrip('text', arrays.text(texts))).toEqual(texts)
  expect(await roundTrip('text', arrays.text([]))).toEqual([])
})

test('a lone surrogate becomes the replacement character and moves no other text', async () => {
  expect(await roundTrip('text', arrays.text(['a', '\ud800', '\udc00', 'b']))).toEqual([
    'a',
    '\ufffd',
    '\ufffd',
    'b',
  ])
})

test('JSON arrives unchanged', async () => {
  const values = [{ a: 'é' }, null, [1, 'two'], 'text']
  const texts = values.map((value) => (value === null ? null : JSON.stringify(value)))
  expect(await roundTrip('jsonb', arrays.jsonb(texts))).toEqual(values)
})

test('integers arrive unchanged, up to the largest safe integer of JavaScript', async () => {
  const max = Number.MAX_SAFE_INTEGER
  const numbers = [0, 1, -1, 2 ** 31, -(2 ** 31), 2 ** 32, -(2 ** 32), 2 ** 32 - 1, max, -max, null]
  expect(await roundTrip('int8', arrays.int8(numbers))).toEqual(numbers)
})

test('times arrive to the millisecond, before 2000 and in the far future', async () => {
  const texts = [
    '1900-02-28T23:59:59.999Z',
    '1969-12-31T23:59:59.999Z',
    '2026-01-02T03:04:05.678Z',
    '9999-12-31T23:59:59.999Z',
  ]
  const times = [...texts.map((text) => new Date(text)), null]
  expect(await roundTrip('timestamptz', arrays.timestamptz(times))).toEqual(times)
})

test('ids arrive unchanged, in lower case', async () => {
  const id = '0198f0a1-b2c3-7d4e-8f90-123456789abc'
  expect(await roundTrip('uuid', arrays.uuid([id, null, id.toUpperCase()]))).toEqual([id, null, id])
})

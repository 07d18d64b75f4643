import { expect, test } from 'vitest'
import { readAll } from './read-all.ts'

test.each([0, 999, 1000, 1001, 2500])('all of %i rows, in their order', async (count) => {
  const list = Array.from({ length: count }, (_, no) => ({ id: `${no}` }))
  const read = readAll(async (after, countMax) => {
    const from = after === null ? 0 : Number(after) + 1
    return list.slice(from, from + countMax)
  })
  expect(await read).toEqual(list)
})

import { expect, test } from 'vitest'
import { createHeavyJobQueue } from './heavy-job-queue.ts'

/** Blocks the event loop for about this long. */
function hold(ms: number): void {
  const end = performance.now() + ms
  while (performance.now() < end);
}

test('runs one at a time in order, with turns for other work in between', async () => {
  const inTurn = createHeavyJobQueue()
  const order: string[] = []
  const work = (name: string) =>
    inTurn(() => {
      order.push(name)
      hold(20)
    })
  const all = Promise.all([work('a'), work('b'), work('c')])
  let isOver = false
  const others = (async () => {
    while (!isOver) {
      if (order.at(-1) !== 'other') order.push('other')
      await new Promise((resolve) => setImmediate(resolve))
    }
  })()
  await all
  isOver = true
  await others
  expect(order.filter((name) => name !== 'other')).toEqual(['a', 'b', 'c'])
  expect(order.join(' ')).toContain('a other b other c')
})

test('rejects with the error of the work, and still runs the next one', async () => {
  const inTurn = createHeavyJobQueue()
  const failing = inTurn(() => {
    throw new Error('broken')
  })
  await expect(failing).rejects.toThrow('broken')
  expect(await inTurn(() => 1)).toBe(1)
})

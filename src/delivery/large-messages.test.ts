import { expect, test } from 'vitest'
import { newId } from '../base/ids.ts'
import type { DueDelivery, LoadedMessage } from '../queue/types.ts'
import { createLargeMessages } from './large-messages.ts'

const deliveryOf = (emailId = newId(), message: LoadedMessage | null = null) =>
  ({ emailId, message }) as unknown as DueDelivery
const content = () => ({ bytes: Buffer.from('x'), smtpUtf8: false })

/** Work that ends when it is told to. */
function openEnded() {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { promise, end: () => resolve() }
}
/** Whatever can run without anything new happening outside has run after this. */
const turn = () => new Promise((resolve) => setImmediate(resolve))

test('loaded four at a time: the fifth waits until one is done', async () => {
  let loads = 0
  const withMessage = createLargeMessages(async () => {
    loads++
    return content()
  })
  const works = Array.from({ length: 6 }, openEnded)
  const all = works.map(({ promise }) => withMessage(deliveryOf(), () => promise))
  await turn()
  expect(loads).toBe(4)
  works[0]?.end()
  await all[0]
  await turn()
  expect(loads).toBe(5)
  for (const { end } of works) end()
  await Promise.all(all)
  expect(loads).toBe(6)
})

test('loaded once for recipients of one email that are served together, again for those served later', async () => {
  let loads = 0
  const withMessage = createLargeMessages(async () => {
    loads++
    return content()
  })
  const id = newId()
  const works = Array.from({ length: 10 }, openEnded)
  const all = works.map(({ promise }) => withMessage(deliveryOf(id), () => promise))
  await turn()
  expect(loads).toBe(1)
  for (const { end } of works) end()
  await Promise.all(all)
  await withMessage(deliveryOf(id), async () => {})
  expect(loads).toBe(2)
})

test('not loaded when it is there already, and its place is free again after a failure', async () => {
  const withMessage = createLargeMessages(async () => {
    throw new Error('away')
  })
  const there = content()
  expect(await withMessage(deliveryOf(newId(), there), async (message) => message)).toBe(there)
  for (let i = 0; i < 10; i++) await expect(withMessage(deliveryOf(), async () => {})).rejects.toThrow('away')
})

import { expect, test } from 'vitest'
import { DueQueue } from './due-queue.ts'

test('never two deliveries of one subject at a time, each in its order; others pass', () => {
  const queue = new DueQueue(null)
  const send = (id: string, subjectId: string | null) => ({
    id,
    subjectId,
    teamId: 'team',
    webhookId: 'webhook',
    messageId: id,
    attemptCount: 0,
    body: '{}',
  })
  const [first, second] = [send('a1', 'a'), send('a2', 'a')]
  queue.give([first, second, send('b1', 'b'), send('test 1', null), send('test 2', null)])
  const taken = (sendingMax: number) => queue.take(sendingMax)?.id ?? null
  expect([taken(1), taken(1)]).toEqual(['a1', null])
  expect([taken(5), taken(5), taken(5), taken(5)]).toEqual(['b1', 'test 1', 'test 2', null])
  queue.sent(first)
  expect([taken(5), taken(5)]).toEqual(['a2', null])
})

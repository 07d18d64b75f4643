import { expect, test } from 'vitest'
import type { FirstResult } from './webhook-results-queries.ts'
import { FeedWindow, type Slot } from './window.ts'

const event = (position: number, subjectId: string) => ({
  id: `event-${position}`,
  subjectId,
  position,
  type: 'email.sent',
  body: '{}',
})
const result = (id: string): FirstResult => ({
  id,
  eventId: id,
  subjectId: '',
  type: 'email.sent',
  status: 'delivered',
  dueAt: null,
  answer: null,
  lastAttempt: { at: new Date(0), status: 200, latencyMs: 1, error: null },
})
function finish(slot: Slot | null): void {
  if (slot === null) throw new Error('nothing was to be sent')
  slot.state = 'done'
  slot.result = result(slot.event.id)
}
const takenIds = (window: FeedWindow) => window.takeResults().map(({ id }) => id)

test('events leave in feed order, but none before an older one of its subject has ended', () => {
  const window = new FeedWindow(0)
  for (const [index, subject] of ['a', 'a', 'b', 'a'].entries()) window.add(event(index + 1, subject))
  const first = window.takeNext()
  const other = window.takeNext()
  expect([first?.event.position, other?.event.position, window.takeNext()]).toEqual([1, 3, null])
  finish(first)
  expect(window.takeNext()?.event.position).toBe(2)
  expect(window.takeNext()).toBeNull()
})

test('results leave in feed order, so that one number records what was attempted', () => {
  const window = new FeedWindow(10)
  for (const position of [12, 15, 17]) window.add(event(position, `${position}`))
  window.skipTo(20)
  const [first, second, third] = [window.takeNext(), window.takeNext(), window.takeNext()]
  finish(second)
  expect([takenIds(window), window.position]).toEqual([[], 11])
  finish(first)
  expect([takenIds(window), window.position]).toEqual([['event-12', 'event-15'], 16])
  finish(third)
  expect([takenIds(window), window.position]).toEqual([['event-17'], 20])
})

test('dropped: events that are no longer subscribed, but not those on the wire', () => {
  const window = new FeedWindow(0)
  for (const position of [1, 2, 3]) window.add(event(position, `${position}`))
  const first = window.takeNext()
  window.drop(({ position }) => position === 3)
  expect([window.waitingCount, window.position]).toEqual([1, 0])
  finish(first)
  expect([takenIds(window), window.position]).toEqual([['event-1'], 2])
})

test('only the gaps before attempted events are filled, and reported', () => {
  const window = new FeedWindow(0)
  for (const [index, subject] of ['a', 'a', 'b', 'c'].entries()) window.add(event(index + 1, subject))
  expect([window.hasGap, window.takeNext(true)]).toEqual([false, null])
  const first = window.takeNext()
  finish(window.takeNext())
  finish(first)
  expect([takenIds(window), window.hasGap]).toEqual([['event-1'], true])
  finish(window.takeNext(true))
  expect([window.takeNext(true), window.hasGap, window.position]).toEqual([null, false, 1])
  expect([takenIds(window), window.position]).toEqual([['event-2', 'event-3'], 3])
})

test('bytes count until the results have left', () => {
  const window = new FeedWindow(0)
  for (const position of [1, 2]) window.add({ ...event(position, `${position}`), body: 'x'.repeat(1000) })
  expect(window.bytes).toBe(2000)
  finish(window.takeNext())
  window.takeResults()
  expect(window.bytes).toBe(1000)
})

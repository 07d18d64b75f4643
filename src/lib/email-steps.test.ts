import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { expect, test } from 'vitest'
import { EMAIL_STEPS, markStep } from './email-steps.ts'

test('each step is published with its time while somebody subscribes', () => {
  const marks: unknown[] = []
  const note = (mark: unknown) => marks.push(mark)
  markStep('unseen', 'composed')
  subscribe(EMAIL_STEPS, note)
  const beforeMs = performance.now()
  markStep('seen', 'signed')
  unsubscribe(EMAIL_STEPS, note)
  expect(marks).toEqual([{ emailId: 'seen', step: 'signed', atMs: expect.any(Number) }])
  expect((marks[0] as { atMs: number }).atMs).toBeGreaterThanOrEqual(beforeMs)
})

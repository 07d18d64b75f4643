import { expect, test } from 'vitest'
import type { EmailWhole } from '../../api/records.ts'
import { joinRuns, trackOf } from './stages.ts'

const ann = 'ann@there.test'
const event = (type: string, created_at: string, data: Record<string, unknown> = {}) => ({
  id: `${type} ${created_at}`,
  type: `email.${type}`,
  created_at,
  data: { recipient: ann, ...data },
})

function emailOf(events: readonly ReturnType<typeof event>[], recipient: Record<string, unknown>) {
  const email = { created_at: '2026-01-15 10:00:00', scheduled_at: null, events } as unknown as EmailWhole
  const whole = { email: ann, mx_host: 'mx1', next_attempt_at: null, ...recipient }
  return [email, whole as unknown as EmailWhole['recipients'][number]] as const
}

test('a deferred email has the time between its stages, and the next attempt', () => {
  const deferred = Array.from({ length: 128 }, (_, index) =>
    event('delivery_delayed', `2026-01-15 10:00:${index < 2 ? '03' : '09'}`),
  )
  const stages = trackOf(
    ...emailOf([event('queued', '2026-01-15 10:00:00'), ...deferred], {
      status: 'delivery_delayed',
      next_attempt_at: '2026-01-15 12:00:00',
    }),
  )
  expect(stages.map(({ label, sinceMs, isReached }) => [label, sinceMs, isReached])).toEqual([
    ['Accepted', null, true],
    ['Deferred 128×', 3_000, true],
    ['Next attempt', null, false],
  ])
})

test('the first open by a person counts; events of other recipients do not', () => {
  const stages = trackOf(
    ...emailOf(
      [
        event('delivered', '2026-01-15 10:00:02'),
        event('delivered', '2026-01-15 10:00:01', { recipient: 'bob@there.test' }),
        event('opened', '2026-01-15 10:00:05', { is_machine: true }),
        event('opened', '2026-01-15 10:01:02'),
        event('opened', '2026-01-15 11:00:00'),
      ],
      { status: 'delivered' },
    ),
  )
  expect(stages.map(({ label, sinceMs }) => [label, sinceMs])).toEqual([
    ['Accepted', null],
    ['Delivered', 2_000],
    ['Opened', 60_000],
  ])
})

test('captured mail is not called delivered', () => {
  const stages = trackOf(
    ...emailOf([event('delivered', '2026-01-15 10:00:01')], { status: 'delivered', mx_host: 'capture' }),
  )
  expect(stages.map(({ label }) => label)).toEqual(['Accepted', 'Captured'])
})

test('equal neighbours are joined', () => {
  expect(joinRuns(['a', 'a', 'b', 'a'], (each) => each).map(({ all }) => all.length)).toEqual([2, 1, 1])
})

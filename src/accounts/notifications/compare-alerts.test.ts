import { expect, test } from 'vitest'
import { type Alert, ATTENTION_KINDS } from '../../metrics/alerts/alert.ts'
import { type AnnouncedAlert, compareAlerts, END_AFTER_MS, REPEAT_AFTER_MS } from './compare-alerts.ts'

const NOW = new Date('2026-01-31T12:00:00Z')
const MINUTE_MS = 60_000
const later = (ms: number) => new Date(NOW.getTime() + ms)
const domain = (id: string, severity: Alert['severity'] = 'critical'): Alert => ({
  kind: 'domain_failing',
  severity,
  message: 'It failed.',
  subject: { type: 'domain', id, name: `${id}.test` },
  since: null,
})

/** A channel whose told alerts and last message follow its comparisons, as the rows do. */
function createChannel({ everyMinutes = 1, isStarted = true } = {}) {
  let announced: AnnouncedAlert[] = []
  const channel = {
    kinds: [...ATTENTION_KINDS],
    everyMinutes,
    startedAt: isStarted ? NOW : null,
    lastMessageAt: null as Date | null,
  }
  return {
    kinds: channel.kinds,
    announced: () => announced,
    /** Returns the states and names that a message tells, or null without one. */
    compare(alerts: readonly Alert[], at: Date) {
      const { content, changed, forgotten } = compareAlerts(channel, alerts, announced, at)
      const isSame = (a: AnnouncedAlert) => (b: AnnouncedAlert) =>
        a.kind === b.kind && a.subject === b.subject
      announced = announced.filter((one) => ![...changed, ...forgotten].some(isSame(one))).concat(changed)
      channel.startedAt ??= at
      if (content !== null) channel.lastMessageAt = at
      return content?.items.map(({ state, name }) => `${state} ${name}`) ?? null
    },
  }
}

test('one message tells all alerts that began, and the next comparison tells nothing', () => {
  const channel = createChannel()
  const alerts = [domain('a'), domain('b')]
  expect(channel.compare(alerts, NOW)).toEqual(['begun a.test', 'begun b.test'])
  expect(channel.compare(alerts, later(5 * MINUTE_MS))).toBeNull()
})

test('alerts from before are in one summary', () => {
  const channel = createChannel({ isStarted: false })
  expect(channel.compare([domain('a')], NOW)).toEqual(['open a.test'])
  expect(channel.compare([domain('a')], later(MINUTE_MS))).toBeNull()
})

test('the end is told once, after the alert was absent for a while', () => {
  const channel = createChannel()
  channel.compare([domain('a')], NOW)
  expect(channel.compare([], later(MINUTE_MS))).toBeNull()
  expect(channel.compare([], later(MINUTE_MS + END_AFTER_MS - 1))).toBeNull()
  expect(channel.compare([], later(MINUTE_MS + END_AFTER_MS))).toEqual(['ended a.test'])
  expect(channel.compare([], later(2 * MINUTE_MS + END_AFTER_MS))).toBeNull()
})

test('an alert that comes and goes is told to begin at most once an hour', () => {
  const channel = createChannel()
  const messages: (string[] | null)[] = []
  for (let minute = 0; minute < 180; minute++) {
    messages.push(channel.compare(minute % 15 < 3 ? [domain('a')] : [], later(minute * MINUTE_MS)))
  }
  const announced = messages.flatMap((message) => message ?? [])
  expect(announced.filter((item) => item.startsWith('begun')).length).toBe(3)
  expect(announced.filter((item) => item.startsWith('ended')).length).toBeLessThanOrEqual(3)
})

test('what comes too early joins the next message', () => {
  const channel = createChannel({ everyMinutes: 30 })
  expect(channel.compare([domain('a')], NOW)).toEqual(['begun a.test'])
  expect(channel.compare([domain('a'), domain('b')], later(MINUTE_MS))).toBeNull()
  expect(channel.compare([domain('a'), domain('b'), domain('c')], later(30 * MINUTE_MS))).toEqual([
    'begun b.test',
    'begun c.test',
  ])
})

test('an alert that becomes worse is told again, after an hour', () => {
  const channel = createChannel()
  channel.compare([domain('a', 'warning')], NOW)
  expect(channel.compare([domain('a')], later(MINUTE_MS))).toBeNull()
  expect(channel.compare([domain('a')], later(REPEAT_AFTER_MS))).toEqual(['worse a.test'])
})

test('a kind that the channel no longer gets is forgotten without a message', () => {
  const channel = createChannel()
  channel.compare([domain('a')], NOW)
  channel.kinds.splice(0)
  expect(channel.compare([], later(MINUTE_MS))).toBeNull()
  expect(channel.announced()).toEqual([])
})

test('a message lists 20 of many alerts, and counts the others', () => {
  const channel = { kinds: ATTENTION_KINDS, everyMinutes: 1, startedAt: NOW, lastMessageAt: null }
  const alerts = Array.from({ length: 50 }, (_, index) => domain(`d${index}`))
  const { content, changed } = compareAlerts(channel, alerts, [], NOW)
  expect([content?.items.length, content?.more, changed.length]).toEqual([20, 30, 50])
})

test('an alert that is missing from a full list has not ended', () => {
  const channel = createChannel()
  const alerts = Array.from({ length: 20 }, (_, index) => domain(`d${index}`))
  channel.compare(alerts, NOW)
  const others = [...alerts.slice(1), domain('new')]
  expect(channel.compare(others, later(MINUTE_MS))).toEqual(['begun new.test'])
  expect(channel.compare(others, later(60 * MINUTE_MS))).toBeNull()
})

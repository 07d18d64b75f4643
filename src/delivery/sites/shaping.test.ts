import { describe, expect, test } from 'vitest'
import { BUILT_IN } from '../rules/built-in-rules.ts'
import { hasUnboundedWork } from '../rules/pattern-work.ts'
import { readRate } from '../rules/quantities.ts'
import { type GivenShaping, resolveShaping } from '../rules/shaping-rules.ts'
import { findReplyRule, shapeSite } from './shaping.ts'
import { RateLimit } from './site-rate-limit.ts'
import { probesAfter, SiteThrottle } from './site-throttle.ts'

function resolve(rules: readonly GivenShaping[]) {
  const problems: string[] = []
  const resolved = resolveShaping(rules, problems)
  expect(problems).toEqual([])
  return resolved
}

const of = (host: string) => ({ hosts: [host], partOf: null })

describe('rules', () => {
  test("for each field the first match counts, and the operator's rules come first", () => {
    const rules = resolve([
      { name: 'mine', match: { mx: ['google.com'] }, rate: '10/1s' },
      { name: 'all', connections_max: 3, rate: '99/1s' },
      ...BUILT_IN,
    ])
    const shaping = shapeSite(rules, of('aspmx.l.google.com'))
    expect(shaping).toMatchObject({
      connectionsMax: 3,
      connectionsStart: 2,
      messagesPerConnection: 50,
      rate: { count: 10, perMs: 1000 },
      rules: ['mine', 'all', 'Google', 'anywhere'],
    })
    expect(shapeSite(rules, of('notgoogle.com'))).toMatchObject({
      rate: { count: 99 },
      rules: ['all', 'anywhere'],
    })
  })

  // Replies as published by the providers.
  test.each([
    ['aspmx.l.google.com', 421, '4.7.28', 'Gmail has detected an unusual rate of unsolicited mail', 'pause'],
    [
      'hotmail-com.olc.protection.outlook.com',
      421,
      null,
      'RP-001 (BAY004) Unfortunately, some messages',
      'pause',
    ],
    [
      'contoso-com.mail.protection.outlook.com',
      451,
      '4.7.500',
      'Server busy. Please try again later',
      'pause',
    ],
    ['mta5.am0.yahoodns.net', 421, '4.7.0', '[TSS04] Messages from 192.0.2.1 temporarily deferred', 'pause'],
    ['mx1.comcast.net', 421, '4.1.0', '192.0.2.1 Throttled - RL000001', 'pause'],
    ['mx00.gmx.net', 421, null, 'gmx.net Service closing: too many connections', 'pause'],
    ['smtp-in.orange.fr', 421, null, 'mwinf5c04 ME Trop de connexions. OFR_104 [104]', 'pause'],
    ['mx3.qq.com', 550, null, 'Connection frequency limited', 'pause'],
    [
      'mx.example.test',
      421,
      '4.7.0',
      'mx.example.test Error: too many connections from 192.0.2.1',
      'slow_down',
    ],
  ])('%s: %i %s %s', (host, code, enhanced, text, action) => {
    const { replies } = shapeSite(resolve(BUILT_IN), of(host))
    expect(findReplyRule(replies, { stage: 'greeting', code, enhanced, text })?.action).toBe(action)
  })

  test('acceptances and refusals of single recipients have no effect', () => {
    const { replies } = shapeSite(resolve(BUILT_IN), of('mx.example.test'))
    const base = { stage: 'rcpt', enhanced: null }
    expect(findReplyRule(replies, { ...base, code: 250, text: 'too many connections' })).toBe(null)
    expect(findReplyRule(replies, { ...base, code: 550, text: 'No such user here' })).toBe(null)
    expect(findReplyRule(replies, { ...base, code: 550, text: 'I have too many connections' })).toBe(null)
    expect(findReplyRule(replies, { ...base, code: 450, text: 'Greylisted, try again in 5 minutes' })).toBe(
      null,
    )
  })

  test.each([
    '(a|a)(a|a)(a|a)(a|a)a*a*!',
    'a?a?a?a?a?a?a?a?a*a*!',
    '(?:a|a|a|a|a)'.repeat(9),
    '(a|(a|(a|a)))x.*.*',
    '.*?.*?!',
    '(a+)+$',
    '(a|b)*',
    '(.*)\\1',
    '.*.*.*',
    '(a){2,}',
    `${'(a|a)'.repeat(12)}b`,
    'a?'.repeat(30),
  ])('refused: %s', (pattern) => {
    expect(hasUnboundedWork(pattern)).toBe(true)
  })

  test.each([
    'blocked.{0,40}by.{0,40}list',
    '[*+(]+x?',
    '(?<name>a|b|c) .*?x',
    '\\[TSS0[4-9]\\]',
    '4\\.7\\.(5\\d\\d|65\\d)',
    '\\(a\\)+',
    'try .{0,40} later',
    '(a|b)?c',
  ])('allowed: %s', (pattern) => {
    expect(hasUnboundedWork(pattern)).toBe(false)
  })
})

describe('a rate', () => {
  test('admits the configured number in any period', () => {
    const rate = new RateLimit({ count: 3, perMs: 1000 })
    for (const at of [10_000, 10_100, 10_200]) {
      expect(rate.waitMs(at)).toBe(0)
      rate.record(at)
    }
    expect(rate.waitMs(10_300)).toBe(700)
    expect(rate.waitMs(11_000)).toBe(0)
    rate.record(11_000)
    expect(rate.waitMs(11_050)).toBe(50)
    // A clock that steps back delays nothing.
    expect(rate.waitMs(5000)).toBe(0)
  })

  test('keeps at most a thousand timestamps: a larger rate is scaled to a shorter period', () => {
    expect(readRate('100/1m', '', [])).toEqual({ count: 100, perMs: 60_000 })
    expect(readRate('5/s', '', [])).toEqual({ count: 5, perMs: 1000 })
    expect(readRate('60000/1h', '', [])).toEqual({ count: 1000, perMs: 60_000 })
  })
})

describe('a throttle', () => {
  const throttleOf = (probesMs: readonly number[] = [60_000]) => {
    const clock = { nowMs: 1_000_000 }
    const throttle = new SiteThrottle(
      { nowMs: () => clock.nowMs, random: () => 0, probesMs: () => probesMs },
      { connectionsStart: 2, connectionsMax: 20 },
    )
    return { throttle, clock }
  }

  test('grows by one after as many successes as its limit, up to its maximum', () => {
    const { throttle } = throttleOf()
    for (let i = 0; i < 2; i++) throttle.succeed()
    expect(throttle.limit).toBe(3)
    for (let i = 0; i < 1000; i++) throttle.succeed()
    expect(throttle.limit).toBe(20)
  })

  test('is halved once for all messages in flight, and never below one', () => {
    const { throttle, clock } = throttleOf()
    for (let i = 0; i < 1000; i++) throttle.succeed()
    for (let i = 0; i < 20; i++) throttle.slowDown(clock.nowMs - 10)
    expect(throttle.limit).toBe(10)
    for (let i = 0; i < 10; i++) throttle.slowDown(++clock.nowMs)
    expect(throttle.limit).toBe(1)
  })

  test('probes a dead site at most twice a minute, and never waits more than five and a half minutes', () => {
    const { throttle, clock } = throttleOf(probesAfter([1000]))
    const attemptsMs: number[] = []
    while (clock.nowMs < 1_000_000 + 30 * 60_000) {
      attemptsMs.push(clock.nowMs)
      clock.nowMs = throttle.fail('unreachable', 'no answer', null).untilMs
    }
    for (const from of attemptsMs) {
      expect(attemptsMs.filter((at) => at >= from && at < from + 60_000).length).toBeLessThanOrEqual(2)
    }
    const gaps = attemptsMs.slice(1).map((at, i) => at - (attemptsMs[i] as number))
    expect(Math.max(...gaps)).toBeLessThanOrEqual(330_000)
    expect(attemptsMs.length).toBeLessThan(15)
  })

  test('probes with one delivery after a pause, and opens on a reply', () => {
    const { throttle, clock } = throttleOf()
    throttle.fail('unreachable', 'no answer', null)
    expect(throttle.state).toBe('paused')
    clock.nowMs += 60_000
    expect([throttle.state, throttle.limit]).toEqual(['probing', 1])
    expect(throttle.endProbe()).toBe(true)
    expect([throttle.state, throttle.limit]).toEqual(['open', 2])
  })
})

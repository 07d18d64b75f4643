import { expect, onTestFinished, test } from 'vitest'
import { due, turn } from '../../../test/support/delivery.ts'
import type { FailureKind, Stage } from '../../classification/stages.ts'
import { systemClock } from '../../lib/time/clock.ts'
import type { Opened } from '../client/mail-connection.ts'
import type { SmtpReply } from '../client/smtp-reply.ts'
import { Transcript } from '../client/transcript.ts'
import { shapeSite } from '../sites/shaping.ts'
import { Site } from '../sites/site.ts'
import { classifyAttempt, couldNotOpen } from './classify-attempt.ts'

type Outcome = FailureKind | `${number} ${string}`

/**
 * Every way in which an attempt can end, and the state of its site after it ended so four times in a row. What one message
 * needs never moves the site.
 */
const DURING: Record<FailureKind, 'open' | 'paused'> = {
  too_large: 'open',
  smtputf8_unsupported: 'open',
  eight_bit_unsupported: 'open',
  requiretls_unsupported: 'open',
  bad_address: 'open',
  closed: 'paused',
  timeout: 'paused',
  protocol: 'paused',
  unreachable: 'paused',
  aborted: 'paused',
  refused_address: 'paused',
  tls_handshake: 'paused',
  tls_certificate: 'paused',
  tls_unavailable: 'paused',
  mta_sts: 'paused',
  dane: 'paused',
  auth_unavailable: 'paused',
  auth_without_tls: 'paused',
}
const REPLIES: Record<`${number} ${string}`, 'open' | 'paused'> = {
  '250 2.0.0 Ok': 'open',
  '450 4.2.0 Greylisted, try again later': 'open',
  '452 4.2.2 Mailbox full': 'open',
  '550 5.1.1 No such user': 'open',
  '552 5.3.4 Message too big for system': 'open',
  '554 5.7.1 Spam': 'open',
  '553 5.6.7 Address needs SMTPUTF8': 'open',
  '555 5.5.4 Unsupported parameter': 'open',
}
/** Before a connection, one failure decides. */
const BEFORE: Partial<Record<FailureKind, 'open' | 'paused'>> = {
  requiretls_unsupported: 'open',
  refused_address: 'open',
  unreachable: 'paused',
  timeout: 'paused',
  closed: 'paused',
  protocol: 'paused',
  tls_handshake: 'paused',
}
const TIMES = 4

/** Adds deliveries to a site whose connections all end in this way. Resolves to the site when all have ended. */
async function siteAfter(times: number, open: (delivery: ReturnType<typeof due>) => Opened): Promise<Site> {
  let ended = 0
  const end = () => void ended++
  const shaping = { ...shapeSite([], { hosts: [], partOf: null }), connectionsStart: 1, connectionsMax: 1 }
  const source = { name: 'default', address: null, ehloName: 'us.test' }
  const key = { site: 'to.test', source, tls: 'opportunistic', relay: null, hosts: [] }
  const site = new Site(key, shaping, {
    clock: systemClock,
    random: () => 0.5,
    probesMs: () => [60_000],
    slicer: { enter: () => null },
    isFirst: () => false,
    open: async (_key, delivery) => open(delivery),
    findWithdrawal: async () => null,
    outcomes: { settled: end, postponed: end, withdrawn: end, dropped: end, interrupted: end },
    waitingMax: () => 100,
    wake: () => {},
    board: { mayProbe: () => true, paused: () => {}, answered: () => {}, known: () => null },
  })
  onTestFinished(async () => void (await site.drain()))
  for (let count = 0; count < times; count++) site.add(due(`r${count}@to.test`))
  while (ended < times) await turn()
  return site
}

function connectionThat(outcome: Outcome): Opened {
  const [, code, enhanced, text = ''] = /^(\d{3}) (\d\.\d\.\d) (.*)$/.exec(outcome) ?? []
  const reply =
    code === undefined
      ? null
      : ({ code: Number(code), enhanced, text, lines: [text] } as unknown as SmtpReply)
  const stage: Stage = reply === null ? 'mail' : 'rcpt'
  const target = { host: 'mx.to.test', address: '192.0.2.1', port: 25 }
  return {
    connection: {
      usable: true,
      sentCount: 1,
      close() {},
      deliver: async (delivery) =>
        classifyAttempt({
          delivery,
          transcript: new Transcript(),
          wasIdle: false,
          tls: null,
          signedAs: null,
          startedAt: new Date(),
          startedMs: 0,
          smtp: { target, sourceAddress: null } as never,
          outcome: {
            stage,
            reply,
            usable: true,
            failure: reply === null ? { kind: outcome as FailureKind, detail: 'x' } : null,
          },
        }),
    },
  }
}

test.each(Object.entries({ ...DURING, ...REPLIES }))(
  'during a connection: %s: the site is %s',
  async (outcome, state) => {
    const site = await siteAfter(TIMES, () => connectionThat(outcome as Outcome))
    expect(site.view.state).toBe(state)
  },
)

test.each(Object.entries(BEFORE))('before a connection: %s: the site is %s', async (kind, state) => {
  const site = await siteAfter(1, (delivery) => {
    const outcome = {
      ok: false,
      stage: 'ehlo',
      reply: null,
      failure: { kind, detail: 'x' },
      transcript: [],
    } as never
    const last = { outcome, target: { host: 'mx.to.test', address: '192.0.2.1', port: 25 } as never }
    const failed = couldNotOpen(delivery, last, [], new Date(), 0)
    return { failed, stage: 'ehlo', hostsDown: failed.verdict.state === 'deferred' }
  })
  expect(site.view.state).toBe(state)
})

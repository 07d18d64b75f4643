import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { startDns, type TestDns } from '../../../test/support/dns.ts'
import { startMx } from '../../../test/support/mx.ts'
import type { MxOptions } from '../../../test/support/mx-script.ts'
import { linesOf } from '../../../test/support/smtp.ts'
import { DnsClient } from '../../lib/dns/dns.ts'
import { MxResolver } from '../../lib/dns/mx.ts'
import { createGuard } from '../../lib/net/egress-guard.ts'
import { type Mailbox, parseAddress } from '../../mime/address.ts'
import { createMailboxProber } from './probe-mailbox.ts'

/** Accepts only Ann, as a server that rejects unknown recipients does. */
const KNOWS_ANN = { expect: /^RCPT TO:<(?!ann@)/, answer: '550 5.1.1 No such user' }

let dns: TestDns
let nowMs = Date.UTC(2026, 0, 1)
const clock = { now: () => new Date(nowMs) }

beforeEach(async () => {
  dns = await startDns({
    'rcpt.test': { mx: [[10, 'mx.rcpt.test']] },
    'mx.rcpt.test': { a: ['127.0.0.1'] },
    'nowhere.test': { mx: [[10, 'gone.test']] },
    'second.test': {
      mx: [
        [10, 'closed.rcpt.test'],
        [20, 'mx.rcpt.test'],
      ],
    },
    'closed.rcpt.test': { a: ['127.0.0.9'] },
  })
  onTestFinished(() => dns.close())
})

async function givenProber(options: MxOptions = {}, { allowPrivate = true, timeoutMs = 8000 } = {}) {
  const mx = await startMx(options)
  onTestFinished(() => mx.close())
  const resolver = new MxResolver(new DnsClient({ servers: [dns.server], clock }))
  const guard = createGuard({ allowPrivate })
  const ehloName = 'mail.sendwright.test'
  const prober = createMailboxProber({ clock, mx: resolver, guard, ehloName, mxPort: mx.port, timeoutMs })
  const ask = async (address: string) => {
    const mailbox = parseAddress(address) as Mailbox
    const route = await resolver.resolve(mailbox.domain)
    if (route.kind !== 'hosts') throw new Error(`${address} goes nowhere: ${route.kind}`)
    return prober(mailbox, route)
  }
  return { mx, ask }
}

describe("the server's answer", () => {
  test('exists: it accepts the name and rejects an invented one; nothing is sent', async () => {
    const { mx, ask } = await givenProber({ script: [KNOWS_ANN] })
    expect(await ask('ann@rcpt.test')).toBe('exists')
    const [ehlo, mail, own, other] = linesOf(mx)
    expect([ehlo, mail, own]).toEqual([
      'EHLO mail.sendwright.test',
      'MAIL FROM:<>',
      'RCPT TO:<ann@rcpt.test>',
    ])
    expect(other).toMatch(/^RCPT TO:<[0-9a-f]{24}@rcpt\.test>$/)
    expect(linesOf(mx).filter((line) => line.startsWith('DATA'))).toEqual([])
    expect(mx.contents).toEqual([])
  })

  test('missing: it rejects the name, and no other is probed', async () => {
    const { mx, ask } = await givenProber({ script: [KNOWS_ANN] })
    expect(await ask('bob@rcpt.test')).toBe('missing')
    expect(linesOf(mx).filter((line) => line.startsWith('RCPT'))).toEqual(['RCPT TO:<bob@rcpt.test>'])
  })

  test('catch_all: it accepts every name', async () => {
    const { ask } = await givenProber()
    expect(await ask('ann@rcpt.test')).toBe('catch_all')
  })

  test('exists over TLS, and at the second host when the first is down', async () => {
    const { mx, ask } = await givenProber({ script: [KNOWS_ANN], tls: true })
    expect(await ask('ann@second.test')).toBe('exists')
    expect(linesOf(mx)).toContain('STARTTLS')
  })

  test('exists: a name that needs SMTPUTF8, if the server offers it; otherwise unknown', async () => {
    const script = [{ expect: /^RCPT TO:<(?!änn@)/, answer: '550 5.1.1 No such user' }]
    const { mx, ask } = await givenProber({ script })
    expect(await ask('änn@rcpt.test')).toBe('exists')
    expect(linesOf(mx)).toContain('MAIL FROM:<> SMTPUTF8')
    const old = await givenProber({ script, capabilities: ['PIPELINING'] })
    expect(await old.ask('änn@rcpt.test')).toBe('unknown')
  })

  test.each([
    ['greylists', [{ expect: 'RCPT', answer: '451 4.7.1 Greylisted, please try again in 5 minutes' }]],
    ['has a full mailbox', [{ expect: 'RCPT', answer: '552 5.2.2 Mailbox full' }]],
    ['has us on a block list', [{ expect: 'RCPT', answer: '550 5.7.1 Blocked using zen.spamhaus.org' }]],
    ['says that it is not responsible', [{ expect: 'RCPT', answer: '550 5.7.1 Relaying denied' }]],
    ['refuses the null sender', [{ expect: 'MAIL', answer: '550 5.7.1 No bounces here, please' }]],
    ['refuses us at the greeting', [{ expect: '<connect>', answer: '554 5.7.1 Go away' }]],
    [
      'takes one recipient a time',
      [{ expect: /^RCPT TO:<(?!ann@)/, answer: '452 4.5.3 Too many recipients' }],
    ],
    ['hangs up', [{ expect: 'RCPT', answer: null, ending: 'close' as const }]],
    ['speaks no SMTP', [{ expect: '<connect>', answer: 'HTTP/1.1 400 Bad Request' }]],
  ])('unknown: it %s', async (_, script) => {
    const { ask } = await givenProber({ script })
    expect(await ask('ann@rcpt.test')).toBe('unknown')
  })

  test('unknown: its host has no address', async () => {
    const { mx, ask } = await givenProber()
    expect(await ask('ann@nowhere.test')).toBe('unknown')
    expect(mx.connectionCount).toBe(0)
  })
})

test('unknown and no connection: the host has a private address', async () => {
  const { mx, ask } = await givenProber({}, { allowPrivate: false })
  expect(await ask('ann@rcpt.test')).toBe('unknown')
  expect(mx.connectionCount).toBe(0)
})

test.each(['<connect>', 'EHLO', 'MAIL', 'RCPT'])(
  'unknown in time: the server is silent at %s, and its connection is closed',
  async (expecting) => {
    const { mx, ask } = await givenProber(
      { script: [{ expect: expecting, answer: null }] },
      { timeoutMs: 300 },
    )
    expect(await ask('ann@rcpt.test')).toBe('unknown')
    await expect.poll(() => mx.openCount()).toBe(0)
  },
)

describe('the load on a site is limited', () => {
  test('one connection at a time, even for concurrent callers', async () => {
    const { mx, ask } = await givenProber({ script: [KNOWS_ANN] })
    const answers = await Promise.all(['ann', 'bob', 'ann', 'eve'].map((name) => ask(`${name}@rcpt.test`)))
    expect(answers).toEqual(['exists', 'missing', 'exists', 'missing'])
    const order = mx.commands.map(({ connection }) => connection)
    expect(order).toEqual(order.toSorted((a, b) => a - b))
  })

  test('unknown from the twenty-first probe in a minute; the next minute probes again', async () => {
    const { mx, ask } = await givenProber({ script: [KNOWS_ANN] })
    for (let count = 0; count < 20; count++) expect(await ask('bob@rcpt.test')).toBe('missing')
    expect(await ask('bob@rcpt.test')).toBe('unknown')
    expect(mx.connectionCount).toBe(20)
    nowMs += 60_000
    expect(await ask('bob@rcpt.test')).toBe('missing')
  })
})

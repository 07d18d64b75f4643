import { expect, onTestFinished, test } from 'vitest'
import { due } from '../../../test/support/delivery.ts'
import { startDns } from '../../../test/support/dns.ts'
import { startMx } from '../../../test/support/mx.ts'
import { DnsClient } from '../../lib/dns/dns.ts'
import { MxResolver } from '../../lib/dns/mx.ts'
import { createGuard } from '../../lib/net/egress-guard.ts'
import { systemClock } from '../../lib/time/clock.ts'
import { senderPolicy } from '../tls/tls-policy.ts'
import { type ConnectDeps, Connector } from './connect.ts'

/** Nothing listens there on the port of the test's server. */
const UNREACHABLE = { a: ['127.0.0.2'] }

test.each([
  { order: 'first', first: UNREACHABLE, second: { a: ['127.0.0.1'] }, state: 'deferred' },
  { order: 'second', first: { a: ['127.0.0.1'] }, second: UNREACHABLE, state: 'deferred' },
  {
    order: 'first, for want of an address',
    first: { fail: 'timeout' as const },
    second: { a: ['127.0.0.1'] },
    state: 'deferred',
  },
  { order: 'nowhere', first: { a: ['127.0.0.1'] }, second: { a: ['127.0.0.1'] }, state: 'bounced' },
])(
  'mail that requires REQUIRETLS is $state if a server without it comes beside one out of reach: $order',
  async ({ first, second, state }) => {
    const mx = await startMx()
    const dns = await startDns()
    onTestFinished(() => mx.close())
    onTestFinished(() => dns.close())
    const names = ['one.hosts.test', 'two.hosts.test']
    dns.set({
      'one.hosts.test': first,
      'two.hosts.test': second,
      'to.test': { mx: names.map((name, place) => [10 * place, name] as const) },
    })
    const policy = senderPolicy('to.test', 'opportunistic', 'required')
    const demand = { tls: 'opportunistic', by: null, tlsa: null, requireTls: true } as const
    const client = new DnsClient({
      servers: [dns.server],
      clock: systemClock,
      timeoutMs: 2_000,
      attemptsMax: 1,
    })
    const connector = new Connector({
      clock: systemClock,
      mx: new MxResolver(client),
      mxPort: mx.port,
      captureTarget: null,
      guard: createGuard({ allowPrivate: true }),
      tls: { policyOf: async () => policy, demandOf: () => demand, note: () => {} },
    } as unknown as ConnectDeps)
    const source = { name: 'default', address: null, ehloName: 'us.test' }
    const hosts = names.map((name, place) => ({ name, preference: 10 * place }))
    const key = { site: names.join(), source, tls: 'require-tls', relay: null, hosts }
    const opened = await connector.open(key, due('bob@to.test'))
    expect('failed' in opened && opened.failed.verdict.state).toBe(state)
  },
)

import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createAuthority } from '../../../test/support/certificates.ts'
import { type PolicyHost, policyText, startPolicyHost } from '../../../test/support/policy-host.ts'
import { createGuard } from '../../lib/net/egress-guard.ts'
import { createStsFetcher } from './sts-fetch.ts'

const ordinaryCas = getCACertificates('default')
let host: PolicyHost

beforeAll(async () => {
  const authority = await createAuthority()
  setDefaultCACertificates([...ordinaryCas, authority.cert])
  host = await startPolicyHost(await authority.issue(['mta-sts.a.test', 'mta-sts.slow.test']))
  host.answers.set('mta-sts.a.test', {
    body: policyText('enforce', ['mx.a.test']),
    type: 'text/plain; charset=utf-8',
  })
  host.answers.set('mta-sts.slow.test', 'nothing')
})

afterAll(async () => {
  setDefaultCACertificates(ordinaryCas)
  await host.close()
})

function givenFetcher({ allowPrivate = true, addresses = ['127.0.0.1'] } = {}) {
  const { fetchPolicy, close } = createStsFetcher({
    guard: createGuard({ allowPrivate }),
    port: host.port,
    addressesOf: async () => addresses,
  })
  onTestFinished(close)
  return (domain: string, signal = AbortSignal.timeout(10_000)) => fetchPolicy(domain, signal)
}

test('fetched from the policy host with a certificate that is valid for it', async () => {
  expect(await givenFetcher()('a.test')).toEqual({
    policy: { mode: 'enforce', mx: ['mx.a.test'], maxAgeSeconds: 86_400 },
  })
  expect(await givenFetcher()('b.test')).toMatchObject({ failure: 'sts-webpki-invalid' })
})

test.each([['127.0.0.1'], ['::ffff:127.0.0.1'], ['10.0.0.1'], ['169.254.169.254']])(
  'not fetched from %s, nor when it is one of several addresses',
  async (address) => {
    const asked = host.asked.length
    for (const addresses of [[address], ['192.0.2.1', address]]) {
      const fetched = await givenFetcher({ allowPrivate: false, addresses })('a.test')
      expect(fetched).toMatchObject({ failure: 'sts-policy-fetch-error' })
    }
    expect(host.asked).toHaveLength(asked)
  },
)

test('abandoned at its time limit, and when DNS has no address', async () => {
  const giveUp = new AbortController()
  const fetching = givenFetcher()('slow.test', giveUp.signal)
  await expect.poll(() => host.asked).toContain('mta-sts.slow.test')
  giveUp.abort()
  expect(await fetching).toMatchObject({ failure: 'sts-policy-fetch-error' })
  expect(await givenFetcher({ addresses: [] })('a.test')).toMatchObject({ failure: 'sts-policy-fetch-error' })
})

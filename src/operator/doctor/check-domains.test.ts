import { afterEach, beforeEach, expect, test } from 'vitest'
import { type DomainWorld, startDomainWorld } from '../../../test/support/domains.ts'
import { addDomain, domainRecords } from '../../domains/domains.ts'
import type { Domain } from '../../domains/domains-queries.ts'
import { quoteText } from '../../domains/publish/record-formats.ts'
import { verifyDomain } from '../../domains/verify-domain.ts'
import { checkDomains } from './check-domains.ts'
import type { Finding } from './finding.ts'

let world: DomainWorld
let domain: Domain
beforeEach(async () => {
  world = await startDomainWorld()
  domain = await addDomain(world.deps, world.ann, { name: 'shop.example' })
})
afterEach(() => world.stop())

async function check(): Promise<Finding[]> {
  const findings: Finding[] = []
  for await (const finding of checkDomains(world.deps, new Date(world.nowMs))) findings.push(finding)
  return findings
}
const verify = () => verifyDomain(world.deps, world.ann, domain.id)
async function recordOf(key: string) {
  const records = await domainRecords(world.deps, domain)
  return records.find((record) => record.key === key) as (typeof records)[number]
}

test('a warning for each missing record of a pending domain, with the record to publish', async () => {
  const findings = await check()
  expect(findings.map(({ level, check }) => `${level} ${check}`)).toEqual([
    'warning DKIM of shop.example',
    'warning return path of shop.example',
    'warning DMARC of shop.example',
  ])
  const { name, value } = await recordOf('dkim_rsa')
  expect(findings[0]?.found).toContain(`DNS has no TXT record of ${name}.`)
  expect(findings[0]?.advice).toBe(`Publish: ${name}. TXT ${quoteText(value)}`)
  expect(findings[1]?.advice).toBe('Publish: bounce.shop.example. CNAME mx.sender.test.')
  expect(findings[2]?.advice).toBe('Publish: _dmarc.shop.example. TXT "v=DMARC1; p=none;"')
})

test('records that were just published are found at once, and the domain is to be verified', async () => {
  await verify()
  await world.publish(domain)
  expect(await check()).toEqual([
    expect.objectContaining({ level: 'warning', advice: 'Run: sendwright domain verify shop.example' }),
  ])
  await verify()
  expect(await check()).toMatchObject([{ level: 'ok', check: 'domain shop.example' }])
})

test('a warning for an optional record of a verified domain, with the value that DNS has', async () => {
  await world.publish(domain)
  const { name } = await recordOf('return_path')
  world.dns.set({ [name]: { cname: 'elsewhere.test' } })
  await verify()
  expect(await check()).toMatchObject([
    { level: 'ok', check: 'domain shop.example', found: 'It is verified.' },
    {
      level: 'warning',
      check: 'return path of shop.example',
      found: expect.stringContaining('DNS has another value at bounce.shop.example: elsewhere.test.'),
    },
  ])
  world.dns.set({ [name]: { fail: 'servfail' } })
  expect((await check())[1]).toMatchObject({ level: 'warning', found: 'The DNS look-up failed.' })
})

test('a problem for a domain that has lost its DKIM record', async () => {
  await world.publish(domain)
  await verify()
  await world.unpublish(domain)
  await world.liveDays(8)
  expect((await world.stored(domain)).status).toBe('failed')
  expect((await check())[0]).toMatchObject({ level: 'problem', check: 'DKIM of shop.example' })
})

test('a note for a domain that is verified in capture mode only', async () => {
  await addDomain(world.captureDeps, world.bob, { name: 'captured.example' })
  const findings = await check()
  expect(findings.find((finding) => finding.check === 'domain captured.example')?.level).toBe('note')
})

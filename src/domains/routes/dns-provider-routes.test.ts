import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, startApi } from '../../../test/support/api.ts'
import { startDns, type TestDns } from '../../../test/support/dns.ts'
import type { GivenTeam } from '../../../test/support/teams.ts'
import { dnsProviderOf } from '../dns-providers.ts'
import { createFindZone } from '../find-zone.ts'
import { dnsProviderRoutes } from './dns-provider-routes.ts'
import { domainRoutes } from './domains-routes.ts'

let dns: TestDns
let api: Api
let ann: GivenTeam

beforeAll(async () => {
  dns = await startDns({ 'example.test': { ns: ['Bob.NS.Cloudflare.com', 'ada.ns.cloudflare.com'] } })
  api = await startApi({
    routes: [...domainRoutes, ...dnsProviderRoutes],
    environment: { SENDWRIGHT_DNS_SERVERS: dns.server },
    deps: { secret: randomBytes(32), findZone: createFindZone([dns.server]) },
  })
  ann = await api.givenTeam()
})
afterAll(async () => {
  await api.stop()
  await dns.close()
})

const givenDomain = async (name: string) => (await ann.post('/domains', { name })).json.id as string

test('200 with the zone above the domain and its provider; DNS is asked once a minute', async () => {
  const id = await givenDomain('mail.example.test')
  const reply = await ann.get(`/domains/${id}/provider`)
  expect(reply.status).toBe(200)
  expect(reply.json).toEqual({
    object: 'dns_provider',
    zone: 'example.test',
    name_servers: ['ada.ns.cloudflare.com', 'bob.ns.cloudflare.com'],
    name: 'Cloudflare',
    url: 'https://dash.cloudflare.com/?to=/:account/:zone/dns',
  })
  await ann.get(`/domains/${id}/provider`)
  expect(dns.count('mail.example.test', 'NS')).toBe(1)
})

test('200 without a provider when DNS has no zone, and the top-level domain is not asked', async () => {
  const id = await givenDomain('mail.nowhere.test')
  expect((await ann.get(`/domains/${id}/provider`)).json).toMatchObject({ zone: null, name: null, url: null })
  expect(dns.count('test', 'NS')).toBe(0)
})

test('404 for the domain of another team', async () => {
  const bob = await api.givenTeam()
  expect((await bob.get(`/domains/${await givenDomain('own.test')}/provider`)).status).toBe(404)
})

test.each([
  [['ns-12.awsdns-34.co.uk'], 'Amazon Route 53'],
  [['ns1.unknown.test', 'ns2.digitalocean.com'], 'DigitalOcean'],
  [['evilns.cloudflare.com'], null],
  [['ns.awsdns-34.com.evil.test'], null],
])('%j belongs to %s', (servers, name) => {
  expect(dnsProviderOf(servers)?.name ?? null).toBe(name)
})

import { randomBytes } from 'node:crypto'
import { domainRecords } from '../../src/domains/domains.ts'
import { type Domain, findDomain } from '../../src/domains/domains-queries.ts'
import { type DomainDeps, recheckDueDomains } from '../../src/domains/verify-domain.ts'
import { newId } from '../../src/lib/ids.ts'
import { createDatabase, type TestDatabase } from './database.ts'
import { startDns, type TestDns } from './dns.ts'

const DAY_MS = 24 * 3_600_000

/** Two teams with domains, and their own DNS server and clock. */
export interface DomainWorld {
  ann: string
  bob: string
  dns: TestDns
  deps: DomainDeps
  /** The dependencies in capture mode. */
  captureDeps: DomainDeps
  /** The time, which tests may set ahead by up to 30 days. */
  nowMs: number
  /** Publishes the records of the domain as its owner would. */
  publish(domain: Domain, only?: (key: string) => boolean): Promise<void>
  unpublish(domain: Domain): Promise<void>
  stored(domain: Domain): Promise<Domain>
  verifiedNames(): Promise<Record<string, unknown>[]>
  eventTypes(domain: Domain): Promise<string[]>
  /** Runs the daily check of the background job for `days` days. */
  liveDays(days: number): Promise<void>
  stop(): Promise<void>
}

/** Starts a world in a database of its own, or in one that the tests of a file share, whose domains it removes. */
export async function startDomainWorld(shared?: TestDatabase): Promise<DomainWorld> {
  const database = shared ?? (await createDatabase())
  await shared?.db.query('truncate domain, verified_domain, dkim_key')
  const dns = await startDns()
  const config = {
    hostname: 'mx.sender.test',
    publicUrl: 'http://api.sender.test:8080',
    dnsServers: [dns.server],
    delivery: { kind: 'direct' } as const,
  }
  const clock = { now: () => new Date(world.nowMs) }
  const deps: DomainDeps = { db: database.db, clock, secret: randomBytes(32), config }
  const world: DomainWorld = {
    ann: newId(),
    bob: newId(),
    dns,
    deps,
    captureDeps: { ...deps, config: { ...config, delivery: { kind: 'capture' } } },
    nowMs: Date.now() - 30 * DAY_MS,
    async publish(domain, only = () => true) {
      for (const { key, name, type, value } of await domainRecords(deps, domain)) {
        if (only(key)) dns.set({ [name]: type === 'TXT' ? { txt: [value] } : { cname: value } })
      }
    },
    async unpublish(domain) {
      for (const { name } of await domainRecords(deps, domain)) dns.remove(name)
    },
    stored: async (domain) => (await findDomain(deps.db, domain.teamId, domain.id)) as Domain,
    verifiedNames: () => deps.db.query('select name, team_id, domain_id from verified_domain order by name'),
    async eventTypes(domain) {
      const rows = await deps.db.query<{ type: string }>(
        'select type from event where team_id = $1 and subject_id = $2 order by id',
        [domain.teamId, domain.id],
      )
      return rows.map((row) => row.type)
    },
    async liveDays(days) {
      for (let day = 0; day < days; day++) {
        world.nowMs += DAY_MS
        await recheckDueDomains(deps, 100)
      }
    },
    async stop() {
      await dns.close()
      if (shared === undefined) await database.drop()
    },
  }
  return world
}

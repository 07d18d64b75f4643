import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { newId } from '../../lib/ids.ts'
import { createLog } from '../../lib/log.ts'
import type { DueDelivery } from '../../queue/types.ts'
import { resolveSources, type SourceSections } from '../rules/source-rules.ts'
import type { Report } from '../sites/outcomes.ts'
import { createSourcePicker } from './pick-source.ts'
import type { PickedSource } from './source.ts'
import { listWarmup, returnWarmup, takeWarmup } from './sources-queries.ts'
import { WarmupRoom } from './warmup-room.ts'

const TODAY = '2026-11-21'
const GOOGLE = { name: 'google', hosts: [{ name: 'aspmx.l.google.com', preference: 1 }] }
const ACME = { name: 'acme', hosts: [{ name: 'mx.acme.test', preference: 1 }] }
const FALLBACK: PickedSource = { source: { name: 'default', address: null, ehloName: 'us.test' } }

let database: TestDatabase
let now: Date
let counter = 0

beforeAll(async () => {
  database = await createDatabase()
})
afterAll(() => database.drop())
beforeEach(() => {
  now = new Date(`${TODAY}T23:50:00Z`)
})

interface World {
  missing?: string
  addresses?: string[]
  domain?: string
}

/** The picker of one process. Each test uses new source names, because counts are shared by the whole database. */
function startPicker(sections: SourceSections, { missing, addresses = [], domain }: World = {}) {
  const problems: string[] = []
  const rules = resolveSources(sections, problems)
  expect(problems).toEqual([])
  return createSourcePicker({
    clock: { now: () => now },
    random: () => 0.5,
    rules: () => rules,
    fallback: FALLBACK,
    isMissing: ({ name }) => name === missing,
    room: new WarmupRoom({
      clock: { now: () => now },
      log: createLog('silent'),
      take: (...given) => takeWarmup(database.db, ...given),
      giveBack: (...given) => returnWarmup(database.db, ...given),
    }),
    domainOf: async () => domain ?? null,
    tagsOf: async () => [{ name: 'read', value: 'late' }],
    addressesOf: async () => addresses,
  })
}

function due(fields: Partial<DueDelivery> = {}): DueDelivery {
  const address = `r${++counter}@to.test`
  return {
    teamId: newId(),
    emailId: newId(),
    no: 0,
    address,
    addressKey: address,
    domain: 'to.test',
    domainId: newId(),
    attempts: 0,
    expiresAt: now,
    createdAt: now,
    recipientCount: 1,
    isBulk: false,
    sizeBytes: 10,
    leasedUntilMs: now.getTime() + 60_000,
    checkedAtMs: now.getTime(),
    message: null,
    tags: [],
    ...fields,
  }
}

const nameOf = (picked: PickedSource) => ('source' in picked ? picked.source.name : picked.reason)
const source = (name: string, last: number, schedule?: number[]) => ({
  name,
  address: `192.0.2.${last}`,
  ehlo_name: `${name}.test`,
  ...(schedule === undefined ? {} : { warmup: { started_at: TODAY, schedule } }),
})

async function takenOf(name: string, day = TODAY) {
  const rows = await listWarmup(database.db, day)
  return Object.fromEntries(rows.filter((row) => row.source === name).map((row) => [row.group, row.taken]))
}

test('the system default without rules', async () => {
  expect(await startPicker({}).pick(due(), ACME)).toBe(FALLBACK)
})

test('assigned by team, From domain and tag: the first rule that matches completely, else the pool named default', async () => {
  const team = newId()
  const picker = startPicker(
    {
      sources: [
        source('team', 1),
        source('domain', 2),
        source('tag', 3),
        source('value', 4),
        source('rest', 5),
      ],
      pools: ['team', 'domain', 'tag', 'value']
        .map((name) => ({ name, sources: [name] }))
        .concat([{ name: 'default', sources: ['rest'] }]),
      assign: [
        { match: { tag: 'kind=receipt' }, pool: 'value' },
        { match: { team: team.toUpperCase(), tag: 'kind' }, pool: 'tag' },
        { match: { team }, pool: 'team' },
        { match: { domain: 'News.example.com' }, pool: 'domain' },
      ],
    },
    { domain: 'news.example.com' },
  )
  const pick = async (fields: Partial<DueDelivery>) => nameOf(await picker.pick(due(fields), ACME))
  expect(await pick({ teamId: team, tags: [{ name: 'kind', value: 'receipt' }] })).toBe('value')
  expect(await pick({ teamId: team, tags: [{ name: 'kind', value: 'news' }] })).toBe('tag')
  expect(await pick({ tags: [{ name: 'kind', value: 'news' }] })).toBe('domain')
  expect(await pick({ teamId: team })).toBe('team')
  await picker.close()
})

test('assigned by tags that were not prefetched; all sources if no pool is named default', async () => {
  const picker = startPicker({
    sources: [source('late', 1), source('other', 2)],
    pools: [{ name: 'late', sources: ['late'] }],
    assign: [{ match: { tag: 'read=late' }, pool: 'late' }],
  })
  expect(nameOf(await picker.pick(due({ tags: null }), ACME))).toBe('late')
  const seen = new Set<string>()
  for (let index = 0; index < 40; index++) seen.add(nameOf(await picker.pick(due(), ACME)))
  expect(seen).toEqual(new Set(['late', 'other']))
  await picker.close()
})

test("counted by provider group, and sent from the warm address when today's limit is used up", async () => {
  const picker = startPicker({ sources: [source('cold', 1, [3, 1000]), source('warm', 2)] })
  const sent = { cold: 0, warm: 0 }
  for (let index = 0; index < 40; index++) {
    sent[nameOf(await picker.pick(due(), GOOGLE)) as keyof typeof sent]++
    await picker.pick(due(), ACME)
  }
  expect(sent).toEqual({ cold: 3, warm: 37 })
  await picker.close()
  // Nothing was reported as sent: the whole allowance is free again.
  expect(await takenOf('cold')).toEqual({ google: 0, other: 0 })
})

test("postponed to the next UTC day when all are warming, with the reason; then the next day's limit counts", async () => {
  const picker = startPicker({
    sources: [source('young', 1, [2, 5])],
    pools: [
      { name: 'fresh', sources: ['young'] },
      { name: 'default', sources: ['young'] },
    ],
  })
  const reach = async (count: number) => {
    const picked: string[] = []
    for (let index = 0; index < count; index++) picked.push(nameOf(await picker.pick(due(), GOOGLE)))
    return picked.filter((name) => name === 'young').length
  }
  expect(await reach(4)).toBe(2)
  expect(await picker.pick(due(), GOOGLE)).toEqual({
    until: new Date('2026-11-22T00:15:00.000Z'),
    reason:
      'The sending addresses of pool "default" are warming up and have sent what this provider gets of them today. It goes on tomorrow (UTC).',
  })
  now = new Date('2026-11-22T00:15:00Z')
  expect(await reach(9)).toBe(5)
  now = new Date('2026-11-23T00:00:00Z')
  expect(await reach(9)).toBe(9)
  await picker.close()
})

test('not counted when it was not sent: postponed, suppressed, unreachable, or left at the end', async () => {
  const picker = startPicker({ sources: [source('careful', 1, [2])] })
  const deliveries = [due(), due(), due()] as const
  const pick = async (delivery: DueDelivery) => nameOf(await picker.pick(delivery, GOOGLE)) === 'careful'
  expect([await pick(deliveries[0]), await pick(deliveries[1]), await pick(deliveries[2])]).toEqual([
    true,
    true,
    false,
  ])
  picker.note({ delivery: deliveries[0] })
  expect(await pick(deliveries[2])).toBe(true)
  picker.note(attempted(deliveries[2], 'unreachable'))
  expect(await pick(deliveries[0])).toBe(true)
  picker.note(attempted(deliveries[0], 'accepted'))
  expect(await pick(deliveries[2])).toBe(false)
  await picker.close()
  expect(await takenOf('careful')).toEqual({ google: 1 })
})

test('not counted when it was dropped because its lease ran out: the next claim has its place', async () => {
  const picker = startPicker({ sources: [source('dropped', 1, [2])] })
  const deliveries = [due(), due()]
  for (const delivery of deliveries) expect(nameOf(await picker.pick(delivery, GOOGLE))).toBe('dropped')
  now = new Date(now.getTime() + 61_000)
  for (const { emailId, teamId } of deliveries) {
    expect(nameOf(await picker.pick(due({ emailId, teamId }), GOOGLE))).toBe('dropped')
  }
  expect(nameOf(await picker.pick(due(), GOOGLE))).toContain('warming up')
  await picker.close()
})

function attempted(delivery: DueDelivery, category: string): Report {
  const verdict = {
    state: 'deferred',
    category,
    fault: null,
    suppress: false,
    retryAfterMs: null,
  } as const
  const nothing = {
    smtpCode: null,
    enhancedCode: null,
    response: null,
    mxHost: null,
    mxAddress: null,
    tls: null,
  }
  return {
    kind: 'attempted',
    result: { delivery, verdict, startedAt: now, durationMs: 1, ...nothing, transcript: [] },
  }
}

test("picked from the hosts' address family, or from any if DNS does not respond", async () => {
  const sections = {
    sources: [source('four', 1), { name: 'six', address: '2001:db8::6', ehlo_name: 'six.test' }],
  }
  const seenWith = async (addresses: string[]) => {
    const picker = startPicker(sections, { addresses })
    const seen = new Set<string>()
    for (let index = 0; index < 40; index++) seen.add(nameOf(await picker.pick(due(), ACME)))
    await picker.close()
    return [...seen].sort()
  }
  expect(await seenWith(['192.0.2.25'])).toEqual(['four'])
  expect(await seenWith(['2001:db8::25'])).toEqual(['six'])
  expect(await seenWith(['2001:db8::25', '192.0.2.25'])).toEqual(['four', 'six'])
  expect(await seenWith([])).toEqual(['four', 'six'])
})

test('picked from the pool of its class', async () => {
  const sections: SourceSections = {
    sources: [source('ours', 1), source('news', 2)],
    pools: [
      { name: 'default', sources: ['ours'] },
      { name: 'bulk', sources: ['news'] },
    ],
    assign: [{ match: { class: 'bulk' }, pool: 'bulk' }],
  }
  const picker = startPicker(sections)
  for (let index = 0; index < 10; index++) {
    expect(nameOf(await picker.pick(due(), ACME))).toBe('ours')
    expect(nameOf(await picker.pick(due({ isBulk: true }), ACME))).toBe('news')
  }
  await picker.close()
})

test("never from another machine's address: from others in the pool, or left to that machine", async () => {
  const sections = {
    sources: [source('ours', 1), source('theirs', 2)],
    pools: [{ name: 'elsewhere', sources: ['theirs'] }],
    assign: [{ match: { tag: 'where=elsewhere' }, pool: 'elsewhere' }],
  }
  const picker = startPicker(sections, { missing: 'theirs' })
  for (let index = 0; index < 20; index++) expect(nameOf(await picker.pick(due(), ACME))).toBe('ours')
  const tags = [{ name: 'where', value: 'elsewhere' }]
  expect(await picker.pick(due({ tags }), ACME)).toEqual({
    until: new Date(`${TODAY}T23:51:00.000Z`),
    reason: 'No sending address of pool "elsewhere" belongs to the machine that had its turn.',
  })
  await picker.close()
})

test("not warmed up through a relay, because providers see the relay's address", async () => {
  const picker = startPicker({ sources: [source('behind', 1, [0])] })
  expect(nameOf(await picker.pick(due(), { name: 'relay:smtp.test:587', hosts: [] }))).toBe('behind')
  expect(nameOf(await picker.pick(due(), ACME))).toContain('warming up')
  await picker.close()
})

test('counted once, regardless of its hops and of repeated picks', async () => {
  const picker = startPicker({ sources: [source('asked', 1, [2])] })
  const delivery = due()
  for (let index = 0; index < 5; index++) {
    expect(nameOf(await picker.pick(delivery, GOOGLE))).toBe('asked')
    expect(nameOf(await picker.pick(delivery, { name: 'relay:smtp.test:587', hosts: [] }))).toBe('asked')
  }
  expect(nameOf(await picker.pick(due(), GOOGLE))).toBe('asked')
  picker.note(attempted(delivery, 'accepted'))
  await picker.close()
  expect(await takenOf('asked')).toEqual({ google: 1 })
})

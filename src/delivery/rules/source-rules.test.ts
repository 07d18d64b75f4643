import { expect, test } from 'vitest'
import { rankSources } from '../sources/pick-source.ts'
import { providerGroupOf } from './provider-groups.ts'
import { resolveSources, type SourceSections } from './source-rules.ts'
import { limitOn, nextDay, type Warmup, warmingDay } from './warmup.ts'

const one = { name: 'one', address: '127.0.0.2', ehlo_name: 'ONE.test' }
const two = { name: 'two', address: '2001:DB8:0::1', ehlo_name: 'two.test' }

function problemsOf(sections: SourceSections): string[] {
  const problems: string[] = []
  resolveSources(sections, problems)
  return problems
}

test('resolved: every source in the default pool, addresses in canonical form, names in lower case', () => {
  const rules = resolveSources({ sources: [one, two] }, [])
  expect(rules?.defaultPool.sources).toMatchObject([
    { name: 'one', address: '127.0.0.2', ehloName: 'one.test', warmup: null },
    { name: 'two', address: '2001:db8::1', ehloName: 'two.test' },
  ])
  expect(resolveSources({}, [])).toBeNull()
})

test('refused with one sentence for each problem that names its place', () => {
  expect(
    problemsOf({
      sources: [
        { ...one, name: 'default' },
        { ...two, address: '192.0.2.300' },
        { ...two, warmup: { started_at: '2026-13-01' } },
        { ...one, name: 'twin' },
      ],
      pools: [
        { name: 'shared', sources: ['three'] },
        { name: 'shared', sources: ['two'] },
      ],
      assign: [{ match: { tag: 'kind' }, pool: 'nowhere' }],
    }),
  ).toEqual([
    'sources[0]: no source can be named "default".',
    'sources[1]: "192.0.2.300" is not an IP address.',
    'sources[2]: there is another source "two".',
    'sources[2].warmup.started_at: "2026-13-01" is not a date.',
    'sources[3]: "default" has the same address, and limits are per address.',
    'pools[0]: there is no source "three".',
    'pools[1]: there is another pool "shared".',
    'assign[0]: there is no pool "nowhere".',
  ])
})

test('refused: pools or assignments without any source', () => {
  expect(problemsOf({ pools: [{ name: 'shared', sources: ['one'] }] })).toHaveLength(1)
  expect(problemsOf({ assign: [{ match: { team: 'x' }, pool: 'shared' }] })).toHaveLength(1)
})

test("limited by the source's schedule for the group, its general schedule, the general schedule for the group, or the general schedule, in this order", () => {
  const general = { schedule: [1, 2], groups: { google: [3], yahoo: [4] } }
  const own = { started_at: '2026-11-01', schedule: [5], groups: { google: [6] } }
  const limits = (warmup: object, now: Date) => {
    const rules = resolveSources({ sources: [{ ...one, warmup } as never], warmup: general }, [])
    const found = rules?.sources[0]?.warmup as Warmup
    return (['google', 'yahoo', 'other'] as const).map((group) => limitOn(found, group, now))
  }
  const firstDay = new Date('2026-11-01T23:59:59.999Z')
  expect(limits(own, firstDay)).toEqual([6, 5, 5])
  expect(limits({ started_at: '2026-11-01' }, firstDay)).toEqual([3, 4, 1])
  expect(limits({ started_at: '2026-11-01' }, new Date('2026-11-02T00:00:00Z'))).toEqual([null, null, 2])
  expect(limits({ started_at: '2026-11-01' }, new Date('2026-10-31T23:59:59Z'))).toEqual([0, 0, 0])
})

test('warming by UTC days, regardless of the time at which it began', () => {
  const [source] =
    resolveSources({ sources: [{ ...one, warmup: { started_at: '2026-11-01T18:30:00Z' } }] }, [])?.sources ??
    []
  const warmup = source?.warmup as Warmup
  expect(warmingDay(warmup, new Date('2026-11-01T00:00:00Z'))).toBe(1)
  expect(warmingDay(warmup, new Date('2026-11-02T00:00:00Z'))).toBe(2)
  expect(limitOn(warmup, 'other', new Date('2026-11-01T20:00:00Z'))).toBe(50)
  expect(limitOn(warmup, 'other', new Date('2026-12-01T00:00:00Z'))).toBeNull()
  expect(nextDay(new Date('2026-12-31T00:00:00Z'))).toEqual(new Date('2027-01-01T00:00:00Z'))
})

test('grouped by the first mail host, and by whole labels', () => {
  const group = (...names: string[]) => providerGroupOf(names.map((name) => ({ name, preference: 10 })))
  expect(group('aspmx.l.google.com', 'alt1.aspmx.l.google.com')).toBe('google')
  expect(group('acme-test.mail.protection.outlook.com')).toBe('microsoft')
  expect(group('acme-test.p-v1.mx.microsoft')).toBe('microsoft')
  expect(group('mta5.am0.yahoodns.net')).toBe('yahoo')
  expect(group('mx01.mail.icloud.com')).toBe('apple')
  expect(group('mx.notgoogle.com')).toBe('other')
  expect(group('mx.acme.test', 'aspmx.l.google.com')).toBe('other')
})

test('spread evenly, always the same source per recipient; a new source takes its share and moves no other recipient', () => {
  const names = (count: number) => Array.from({ length: count }, (_, index) => ({ name: `s${index}` }))
  const recipients = Array.from({ length: 4000 }, (_, index) => `r${index}@to.test`)
  const first = (count: number) =>
    recipients.map((recipient) => rankSources(names(count), recipient)[0]?.name)
  const four = first(4)
  expect(first(4)).toEqual(four)
  for (const { name } of names(4)) {
    const share = four.filter((chosen) => chosen === name).length
    expect(share).toBeGreaterThan(850)
    expect(share).toBeLessThan(1150)
  }
  const moved = first(5).filter((name, index) => name !== four[index])
  expect(new Set(moved)).toEqual(new Set(['s4']))
})

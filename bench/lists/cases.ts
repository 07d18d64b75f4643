import type { BenchRequest } from '../support/caller.ts'

/** The ids that the requests refer to. */
export interface World {
  domains: { few: string; some: string; most: string }
  templates: { few: string; many: string }
  lists: { half: string; few: string }
  /** Segment ids by segment name. */
  segments: Readonly<Record<string, string>>
}

/** One row of the table: requests of one kind. */
export interface Case {
  what: string
  /** How many records match. */
  fits: 'all' | 'many' | 'some' | 'few' | 'one' | 'none'
  /** The highest acceptable 99th percentile, in milliseconds. */
  targetMs: number
  request(number: number): BenchRequest
  /**
   * Reads page 1,000 instead of the first: by page number (`number`), or after the last id of page 999, which
   * is requested once (`key`). `contact` is like `key`, but with the id from page 1,000 of all contacts.
   */
  deep?: 'key' | 'number' | 'contact'
}

const PAGE_MS = 50
const UPSERT_MS = 10
const SEGMENT_MS = 200
/** An id that does not exist. */
const NOWHERE = '01900000-0000-7000-8000-00000000ffff'

type Row = readonly [query: string, fits: Case['fits'], deep?: Case['deep']]

export const casesOf = (path: string, rows: readonly Row[], targetMs = PAGE_MS, name = path): Case[] =>
  rows.map(([query, fits, deep]) => ({
    what: `GET ${name}${query === '' ? '' : `?${query.replaceAll(/[0-9a-f-]{36}/g, '…')}`}`,
    fits,
    targetMs,
    request: () => ({ method: 'GET', path: `${path}?${query}` }),
    ...(deep === undefined ? {} : { deep }),
  }))

function emailCases({ domains, templates }: World): Case[] {
  const day = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10)
  return casesOf('/emails', [
    ['', 'all'],
    ['', 'all', 'key'],
    ['', 'all', 'number'],
    ['status=delivered', 'many'],
    ['status=delivered', 'many', 'key'],
    ['status=bounced', 'many'],
    ['status=bounced', 'many', 'key'],
    ['status=partially_delivered', 'some'],
    ['status=delivery_delayed', 'some'],
    ['status=queued', 'few'],
    ['status=sent', 'few'],
    ['status=rejected', 'none'],
    ['to=everyone@customers.test', 'many'],
    ['to=everyone@customers.test', 'many', 'key'],
    ['to=customer-77@customers.test', 'few'],
    ['to=nobody@customers.test', 'none'],
    ['from=orders@bench.test', 'many'],
    ['from=orders@bench.test', 'many', 'key'],
    ['from=seldom@bench.test', 'few'],
    ['from=nobody@bench.test', 'none'],
    ['tag=kind:order', 'many'],
    ['tag=kind:order', 'many', 'key'],
    ['tag=kind', 'many'],
    ['tag=kind', 'many', 'key'],
    ['tag=early', 'some'],
    ['tag=campaign:spring', 'few'],
    ['tag=unknown', 'none'],
    [`domain_id=${domains.most}`, 'many'],
    [`domain_id=${domains.most}`, 'many', 'key'],
    [`domain_id=${domains.few}`, 'few'],
    [`domain_id=${NOWHERE}`, 'none'],
    [`template_id=${templates.many}`, 'many'],
    [`template_id=${templates.many}`, 'many', 'key'],
    [`template_id=${templates.few}`, 'few'],
    [`template_id=${NOWHERE}`, 'none'],
    [`start_date=${day(40)}&end_date=${day(33)}`, 'many'],
    [`start_date=${day(40)}&end_date=${day(33)}`, 'many', 'key'],
    ['end_date=2020-01-01', 'none'],
    ['q=order', 'many'],
    ['q=order', 'many', 'key'],
    ['q=4321', 'some'],
    ['q=zebra', 'few'],
    ['q=nothing', 'none'],
    ['status=bounced&from=orders@bench.test', 'many'],
    ['status=bounced&from=orders@bench.test', 'many', 'key'],
    [`status=bounced&start_date=${day(40)}&end_date=${day(33)}`, 'many'],
    ['status=bounced&q=nothing', 'none'],
    ['status=partially_delivered&from=news@bench.test', 'none'],
    ['status=queued&from=seldom@bench.test', 'none'],
    ['to=everyone@customers.test&tag=kind:order', 'none'],
    [`from=orders@bench.test&domain_id=${domains.most}&status=delivered&tag=kind:order&q=order`, 'many'],
  ])
}

const suppressionCases: readonly Case[] = casesOf('/suppressions', [
  ['', 'all'],
  ['', 'all', 'key'],
  ['', 'all', 'number'],
  ['reason=bounce', 'many'],
  ['reason=bounce', 'many', 'key'],
  ['reason=complaint', 'few'],
  ['email=person-77@gone.test', 'one'],
  ['email=nobody@gone.test', 'none'],
  ['q=person', 'many'],
  ['q=person-7', 'many', 'key'],
  ['q=person-77777', 'few'],
  ['q=nobody', 'none'],
  ['q=person&reason=manual', 'many'],
  ['q=person&reason=complaint', 'few'],
])

function contactCases({ lists }: World): Case[] {
  const listPage = (id: string, rows: readonly Row[]) =>
    casesOf(`/lists/${id}/contacts`, rows, PAGE_MS, '/lists/…/contacts')
  return [
    ...casesOf('/contacts', [
      ['', 'all'],
      ['', 'all', 'key'],
      ['', 'all', 'number'],
      ['email=person-77@people.test', 'one'],
      ['email=nobody@people.test', 'none'],
      ['unsubscribed=false', 'many'],
      ['unsubscribed=false', 'many', 'key'],
      ['unsubscribed=true', 'some'],
      [`list_id=${lists.half}`, 'many'],
      [`list_id=${lists.few}`, 'few'],
      [`list_id=${lists.few}&unsubscribed=true`, 'none'],
      ['q=person', 'many'],
      ['q=person', 'many', 'key'],
      ['q=ann', 'many'],
      ['q=zoe', 'few'],
      ['q=ann family 16', 'some'],
      ['q=nobody', 'none'],
      ['q=zoe&unsubscribed=false', 'few'],
      [`q=ann&list_id=${lists.half}`, 'none'],
    ]),
    ...listPage(lists.half, [
      ['', 'many'],
      ['', 'many', 'key'],
      ['', 'many', 'number'],
    ]),
    ...listPage(lists.few, [['', 'few']]),
  ]
}

function segmentCases({ segments }: World): Case[] {
  const pages = Object.entries(segments).flatMap(([name, id]) => {
    const fits = (['many', 'some', 'few', 'none'] as const).find((word) => name.endsWith(word)) ?? 'many'
    const what = `GET /segments/…/contacts, ${name.slice(0, name.lastIndexOf(','))}`
    const rows: Row[] = [['', fits], ...(fits === 'many' ? ([['', fits, 'contact']] as Row[]) : [])]
    return casesOf(`/segments/${id}/contacts`, rows, SEGMENT_MS).map((each) => ({ ...each, what }))
  })
  const filter: Row = [`segment_id=${segments['three conditions, many']}&unsubscribed=false`, 'many']
  return [...pages, ...casesOf('/contacts', [filter], SEGMENT_MS)]
}

function upsertCases({ lists }: World): Case[] {
  const upsert = (what: string, fits: Case['fits'], body: (number: number) => unknown): Case => ({
    what: `POST /contacts, ${what}`,
    fits,
    targetMs: UPSERT_MS,
    request: (number) => ({ method: 'POST', path: '/contacts', body: body(number) }),
  })
  const whole = (number: number) => ({
    first_name: 'New',
    unsubscribed: number % 2 === 0,
    list_ids: [lists.half],
    properties: { plan: 'pro', age: number % 100, joined: '2026-01-01' },
  })
  return [
    upsert('new', 'none', (number) => ({ email: `new-${number}@people.test`, first_name: 'New' })),
    upsert('new, with a list and three values', 'none', (number) => ({
      email: `whole-${number}@people.test`,
      ...whole(number),
    })),
    upsert('existing', 'one', (number) => ({
      email: `person-${1 + number * 997}@people.test`,
      first_name: `Name ${number}`,
    })),
    upsert('existing, with a list and three values', 'one', (number) => ({
      email: `person-${2 + number * 997}@people.test`,
      ...whole(number),
    })),
  ]
}

/** Returns a case for every list and filter, in the order of the table. */
export function listCases(world: World): Case[] {
  return [
    ...emailCases(world),
    ...suppressionCases,
    ...contactCases(world),
    ...segmentCases(world),
    ...upsertCases(world),
  ]
}

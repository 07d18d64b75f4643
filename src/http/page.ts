import Type, { type Static, type TSchema } from 'typebox'
import type { PageRange } from '../db/page.ts'
import { invalidField } from '../lib/api-error.ts'

const SIZE_DEFAULT = 25
const SIZE_MAX = 100
/** Far beyond any list, and small enough that page times size stays exact. */
const PAGE_MAX = 1_000_000_000

/** The query parameters of every list; spread them into a route's own: `Type.Object({ ...PAGE_PARAMETERS, status })`. */
export const PAGE_PARAMETERS = {
  page: Type.Optional(
    Type.Integer({ minimum: 1, maximum: PAGE_MAX, description: 'Number of the page; the first is 1.' }),
  ),
  per_page: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: SIZE_MAX,
      description: `Records a page; ${SIZE_DEFAULT} by default.`,
    }),
  ),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: SIZE_MAX, description: 'Same as per_page.' })),
  after: Type.Optional(
    Type.String({ format: 'uuid', description: 'Continue after the record with this id; for deep reads.' }),
  ),
  before: Type.Optional(
    Type.String({ format: 'uuid', description: 'The records just before the one with this id.' }),
  ),
}

export const PageQuery = Type.Object(PAGE_PARAMETERS)
export type PageQuery = Static<typeof PageQuery>

export interface Page extends PageRange {
  /** With `after` or `before` a mere label that the links carry on. */
  number: number
}

/** What part of a list is asked for. Throws ApiError (422) where `after` and `before` come together. */
export function readPage(query: PageQuery): Page {
  const { after = null, before = null } = query
  if (after !== null && before !== null) {
    throw invalidField('before', 'The before field must not be combined with after.')
  }
  const number = query.page ?? 1
  const size = query.per_page ?? query.limit ?? SIZE_DEFAULT
  const offset = after === null && before === null ? (number - 1) * size : 0
  return { number, size, offset, after: after?.toLowerCase() ?? null, before: before?.toLowerCase() ?? null }
}

export interface ListEnvelope {
  object: 'list'
  data: unknown[]
  has_more: boolean
  links: { first: string; last: string; prev: string | null; next: string | null }
  meta: {
    current_page: number
    from: number
    last_page: number
    path: string
    per_page: number
    to: number
    total: number
  }
}

export interface ListPart {
  /** config.publicUrl: never the Host header, which the caller chooses. */
  publicUrl: string
  /** The list's path, for example `/emails`. */
  path: string
  /** As the route read it: the links carry its filters on. */
  query: Readonly<Record<string, unknown>>
  page: Page
  /** All records of the list, from a counter. */
  total: number
  /** The records as JSON, newest first, each with its id. */
  data: readonly { id: string }[]
  /** More records beyond these in the direction of reading (db/page.ts). */
  hasMore: boolean
  /** Where the reading stopped before the page was full (db/page.ts): the next page begins behind it. */
  stoppedAt?: string | null
}

/** The envelope of every list (API-12). */
export function listToJson(part: ListPart): ListEnvelope {
  const { page, total, data } = part
  const path = part.publicUrl + part.path
  const lastPage = Math.max(1, Math.ceil(total / page.size))
  const first = (page.number - 1) * page.size
  const hasMore = page.before === null ? part.hasMore : data.length > 0
  const link = (changes: Record<string, string | number>) => `${path}?${queryText(part.query, changes)}`
  return {
    object: 'list',
    data: [...data],
    has_more: part.hasMore,
    links: {
      first: link({ page: 1 }),
      last: link({ page: lastPage }),
      prev: prevLink(part, link),
      next: hasMore ? nextLink(part, link) : null,
    },
    meta: {
      current_page: page.number,
      from: data.length === 0 ? 0 : first + 1,
      last_page: lastPage,
      path,
      per_page: page.size,
      to: data.length === 0 ? 0 : first + data.length,
      total,
    },
  }
}

type Link = (changes: Record<string, string | number>) => string

function nextLink({ page, data, stoppedAt }: ListPart, link: Link): string {
  const number = { page: page.number + 1 }
  if (stoppedAt && page.before === null) return link({ ...number, after: stoppedAt })
  const last = data.at(-1)
  return isKeyset(page) && last !== undefined ? link({ ...number, after: last.id }) : link(number)
}

function prevLink({ page, data, hasMore, stoppedAt }: ListPart, link: Link): string | null {
  if (!isKeyset(page)) return page.number > 1 ? link({ page: page.number - 1 }) : null
  if (stoppedAt && page.before !== null) {
    return link({ page: Math.max(1, page.number - 1), before: stoppedAt })
  }
  const first = data[0]
  if (first === undefined || (page.before !== null && !hasMore)) return null
  return link({ page: Math.max(1, page.number - 1), before: first.id })
}

function isKeyset(page: Page): boolean {
  return page.after !== null || page.before !== null
}

function queryText(
  query: Readonly<Record<string, unknown>>,
  changes: Record<string, string | number>,
): string {
  const { after: _after, before: _before, ...filters } = query
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries({ ...filters, ...changes })) {
    if (value !== undefined) parameters.set(name, String(value))
  }
  return parameters.toString()
}

const LINKS_EXAMPLE = {
  first: 'https://mail.example.com/records?page=1',
  last: 'https://mail.example.com/records?page=1',
  prev: null,
  next: null,
}
const META_EXAMPLE = {
  current_page: 1,
  from: 1,
  last_page: 1,
  path: 'https://mail.example.com/records',
  per_page: 25,
  to: 1,
  total: 1,
}

/** The schema of a list that is short enough to be given whole. */
export function wholeListOf(item: TSchema): TSchema {
  return Type.Object({ object: Type.Literal('list'), data: Type.Array(item) })
}

/** The schema of a list's answer. */
export function listOf(item: TSchema): TSchema {
  const url = Type.Union([Type.String({ format: 'uri' }), Type.Null()])
  return Type.Object({
    object: Type.Literal('list'),
    data: Type.Array(item),
    has_more: Type.Boolean({ description: 'More records follow in the direction of reading.' }),
    links: Type.Object({ first: url, last: url, prev: url, next: url }, { examples: [LINKS_EXAMPLE] }),
    meta: Type.Object(
      {
        current_page: Type.Integer({ description: 'Number of this page, from 1.' }),
        from: Type.Integer({ description: 'Place of the first record of this page; 0 on an empty one.' }),
        last_page: Type.Integer({ description: 'Number of the last page; 1 where there are no records.' }),
        path: Type.String({ format: 'uri' }),
        per_page: Type.Integer({ description: 'Records that a page has room for.' }),
        to: Type.Integer({ description: 'Place of the last record of this page; 0 on an empty one.' }),
        total: Type.Integer({ description: 'All records of the list.' }),
      },
      { examples: [META_EXAMPLE] },
    ),
  })
}

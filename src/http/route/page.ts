import Type, { type Static, type TSchema } from 'typebox'
import type { PageRange, Rows } from '../../db/page.ts'
import { invalidField } from '../../lib/api-error.ts'
import type { Reply } from './route.ts'

const SIZE_DEFAULT = 25
const SIZE_MAX = 100
/** Larger than any list, and small enough that page times size stays exact. */
const PAGE_MAX = 1_000_000_000

/**
 * The query parameters of every list. Spread them into those of a route: `Type.Object({ ...PAGE_PARAMETERS, status
 * })`.
 */
export const PAGE_PARAMETERS = {
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: PAGE_MAX, description: 'Page number, from 1.' })),
  per_page: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: SIZE_MAX,
      description: `Records per page. Default ${SIZE_DEFAULT}.`,
    }),
  ),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: SIZE_MAX, description: 'Alias of `per_page`.' })),
  after: Type.Optional(
    Type.String({
      format: 'uuid',
      description: 'Returns the records that follow this id. Faster than `page` deep in a list.',
    }),
  ),
  before: Type.Optional(
    Type.String({ format: 'uuid', description: 'Returns the records just before this id.' }),
  ),
}

export const PageQuery = Type.Object(PAGE_PARAMETERS)
export type PageQuery = Static<typeof PageQuery>

export interface Page extends PageRange {
  /** With `after` or `before`, only a label in the links. */
  number: number
}

/** Returns the requested part of a list. Throws ApiError (422) if `after` and `before` are both given. */
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

/** Returns the requested part of a list that is in memory, in its order. */
export function cutPage<Row extends { id: string }>(
  all: readonly Row[],
  { size, offset, after, before }: PageRange,
): Rows<Row> {
  if (before !== null) {
    const end = Math.max(
      0,
      all.findIndex(({ id }) => id === before),
    )
    const start = Math.max(0, end - size)
    return { rows: all.slice(start, end), hasMore: start > 0 }
  }
  const place = all.findIndex(({ id }) => id === after)
  const start = after === null ? offset : place === -1 ? all.length : place + 1
  return { rows: all.slice(start, start + size), hasMore: start + size < all.length }
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
  /** config.publicUrl, never the Host header, which the caller controls. */
  publicUrl: string
  /** The list's path, for example `/emails`. */
  path: string
  /** The query as parsed by the route. The links repeat its filters. */
  query: Readonly<Record<string, unknown>>
  page: Page
  /** The number of all records of the list. */
  total: number
  /** The records as JSON, newest first, each with its id. */
  data: readonly { id: string }[]
  /** Whether more records follow in the direction of reading (db/page.ts). */
  hasMore: boolean
  /** Where a scan stopped before the page was full (db/page.ts). The next page starts after it. */
  stoppedAt?: string | null
}

/** Returns the envelope of every list (API-12). */
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

/** A request for a list. */
interface PageRequest {
  query: Readonly<Record<string, unknown>>
  deps: { config: { publicUrl: string } }
}

/**
 * Returns one page of a list.
 * @param path the path of the list, for its links
 * @param rows the records of the requested page
 */
export function pageReply<Row>(
  { query, deps }: PageRequest,
  path: string,
  { rows, ...rest }: Rows<Row> & { page: Page; total: number },
  toJson: (row: Row) => { id: string },
): Reply {
  const { publicUrl } = deps.config
  const list = { publicUrl, path, query, ...rest, data: rows.map((row) => toJson(row)) }
  return { status: 200, json: listToJson(list) }
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

const LinkOrNull = Type.Union([Type.String({ format: 'uri' }), Type.Null()])

const PageLinks = Type.Object(
  { first: LinkOrNull, last: LinkOrNull, prev: LinkOrNull, next: LinkOrNull },
  { title: 'PageLinks', examples: [LINKS_EXAMPLE] },
)

const PageMeta = Type.Object(
  {
    current_page: Type.Integer({ description: 'Number of this page.' }),
    from: Type.Integer({
      description: 'Position of the first record on this page; 0 when the page is empty.',
    }),
    last_page: Type.Integer({ description: 'Number of the last page; 1 when the list is empty.' }),
    path: Type.String({ format: 'uri' }),
    per_page: Type.Integer({ description: 'Maximum number of records on a page.' }),
    to: Type.Integer({ description: 'Position of the last record on this page; 0 when the page is empty.' }),
    total: Type.Integer({
      description: 'Number of records in the list. With a filter, it can stop at 10,000.',
    }),
  },
  { title: 'PageMeta', examples: [META_EXAMPLE] },
)

/** Names a list after its items: a list of `Contact` is a `ContactList`. */
function listTitle(item: TSchema): { title?: string } {
  const { title } = item as { title?: string }
  return title === undefined ? {} : { title: `${title}List` }
}

/** Returns the schema of a list that is returned without pages. */
export function wholeListOf(item: TSchema): TSchema {
  return Type.Object({ object: Type.Literal('list'), data: Type.Array(item) }, listTitle(item))
}

const PAGE_FIELDS = {
  object: Type.Literal('list'),
  has_more: Type.Boolean({ description: 'Whether more records follow in the paging direction.' }),
  links: PageLinks,
  meta: PageMeta,
}

/** The envelope of every page, which the lists of the document extend. */
export const PageEnvelope = Type.Object(PAGE_FIELDS, { title: 'Page' })

/** Returns the schema of a list that is returned in pages. */
export function listOf(item: TSchema): TSchema {
  return Type.Object({ ...PAGE_FIELDS, data: Type.Array(item) }, { ...listTitle(item), 'x-extends': 'Page' })
}

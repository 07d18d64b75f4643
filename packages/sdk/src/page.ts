import type { Call, Result } from './result.ts'

/** A page of a list, as the API returns it. */
export interface Page<Item> {
  object: 'list'
  data: Item[]
  has_more?: boolean
}

type Query = Readonly<Record<string, unknown>>
type ReadPage<P> = (query: Query) => Call<P>

/**
 * A list. `await` reads its first page; `for await` reads every record of all pages, and throws a SendwrightError if a
 * page fails.
 *
 * Nothing is requested before one of them.
 */
export class ListCall<P extends Page<unknown>>
  implements PromiseLike<Result<P>>, AsyncIterable<P['data'][number]>
{
  readonly #read: ReadPage<P>
  readonly #query: Query
  #first: Call<P> | null = null

  constructor(read: ReadPage<P>, query: Query) {
    this.#read = read
    this.#query = query
  }

  #firstPage(): Call<P> {
    this.#first ??= this.#read(this.#query)
    return this.#first
  }

  // biome-ignore lint/suspicious/noThenProperty: the list is awaited like a call
  then<A = Result<P>, B = never>(
    onFulfilled?: ((result: Result<P>) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#firstPage().then(onFulfilled, onRejected)
  }

  /** Returns the first page. Throws the SendwrightError if the call failed. */
  orThrow(): Promise<P> {
    return this.#firstPage().orThrow()
  }

  /** Reads page by page. Throws a SendwrightError if one fails. */
  async *pages(): AsyncGenerator<P, void, undefined> {
    let query: Query | null = this.#query
    while (query !== null) {
      const page: P = await this.#read(query).orThrow()
      yield page
      query = nextQuery(query, page)
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<P['data'][number], void, undefined> {
    for await (const { data } of this.pages()) yield* data as P['data'][number][]
  }
}

interface AnyPage extends Page<unknown> {
  next_cursor?: string
  links?: { next: string | null; prev: string | null }
}

/**
 * Returns the query of the next page; null after the last one. It continues by record id: with page numbers, records
 * that are added meanwhile would shift the pages.
 */
function nextQuery(query: Query, { data, has_more, next_cursor, links }: AnyPage): Query | null {
  if (!has_more) return null
  const { page: _page, ...filters } = query
  if (next_cursor !== undefined) {
    // On the event feed, `from` is where to start; elsewhere, it is a filter.
    const { from: _from, ...feedFilters } = filters
    return { ...feedFilters, after: next_cursor }
  }
  // A page can be short or empty where a scan stopped. Then only the link knows where to continue.
  const [field, link, record] =
    query.before === undefined ? ['after', links?.next, data.at(-1)] : ['before', links?.prev, data[0]]
  // A site has no id. Its name identifies it.
  const { id, name } = (record ?? {}) as { id?: string; name?: string }
  const position = (link ? new URL(link).searchParams.get(field as string) : null) ?? id ?? name
  return position === undefined ? null : { ...filters, [field as string]: position }
}

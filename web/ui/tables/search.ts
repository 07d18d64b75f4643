/** The parameters of addresses that every list understands, besides its filters. */
const LIST_PARAMETERS = ['columns', 'sort', 'row'] as const

type Read<N extends string> = (search: Record<string, unknown>) => Partial<Record<N, string>>

/**
 * Returns a function that picks these parameters from the query string of a page and omits empty ones, for
 * `validateSearch` of routes.
 */
export function readSearch<const N extends string>(...names: readonly N[]): Read<N> {
  return (search) => {
    const found: Partial<Record<N, string>> = {}
    for (const name of names) {
      const value = search[name]
      if (value !== undefined && value !== null && value !== '') found[name] = String(value)
    }
    return found
  }
}

/** For pages with a list: also picks the parameters of its view. */
export const readListSearch = <const N extends string>(
  ...names: readonly N[]
): Read<N | (typeof LIST_PARAMETERS)[number]> =>
  readSearch<N | (typeof LIST_PARAMETERS)[number]>(...names, ...LIST_PARAMETERS)

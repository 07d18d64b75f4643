import { pickSet } from '../../api/parameters.ts'

/** The parameters of addresses that every list understands, besides its filters. */
const LIST_PARAMETERS = ['columns', 'sort', 'row'] as const

type Read<N extends string> = (search: Record<string, unknown>) => Partial<Record<N, string>>

/**
 * Returns a function that picks these parameters from the query string of a page and omits those that are
 * not set, for `validateSearch` of routes.
 */
export function readSearch<const N extends string>(...names: readonly N[]): Read<N> {
  return (search) => pickSet(search, names)
}

/** For pages with a list: also picks the parameters of its view. */
export const readListSearch = <const N extends string>(
  ...names: readonly N[]
): Read<N | (typeof LIST_PARAMETERS)[number]> =>
  readSearch<N | (typeof LIST_PARAMETERS)[number]>(...names, ...LIST_PARAMETERS)

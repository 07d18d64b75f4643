import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { ask } from './request.ts'
import { keyOf, type ListOf, type ReadList, type ReadOptions, useGet, useTeamId } from './team.ts'

/** Reads a list that the API answers whole, for where lists are shown. */
export function useWholeList<T>(path: string, options: ReadOptions = {}): ReadList<T> {
  const { data, error, isPending, isFetching, refetch } = useGet<{ data: T[] }>(path, options)
  return {
    rows: data?.data ?? [],
    total: null,
    error,
    isPending,
    isFetching,
    hasMore: false,
    readMore() {},
    refetch: () => void refetch(),
    isBehind: false,
    catchUp() {},
  }
}

/** So many pages of a hundred; whoever has more of what is chosen from finds them by their own page. */
const PAGES_MAX = 10
const COUNT_A_PAGE = 100

/** Reads all of a list to choose from: domains, senders, lists. Undefined until it is there. */
export function useAll<T extends { id: string }>(
  path: string,
  { enabled = true }: { enabled?: boolean } = {},
): UseQueryResult<T[]> {
  const teamId = useTeamId(false)
  return useQuery({
    queryKey: [...keyOf(teamId, path), 'all'],
    enabled,
    async queryFn({ signal }) {
      const rows: T[] = []
      for (let page = 0; page < PAGES_MAX; page++) {
        const query = { limit: COUNT_A_PAGE, after: rows.at(-1)?.id }
        const { data, has_more } = await ask<ListOf<T>>(path, { teamId, query, signal })
        rows.push(...data)
        if (!has_more) break
      }
      return rows
    },
  })
}

import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { keyOf } from './query-keys.ts'
import { requestJson } from './request.ts'
import { type ListOf, type ReadList, type ReadOptions, useGet, useTeamId } from './team.ts'

/** Reads a list that the API returns without pagination, in the form of a paginated one. */
export function useWholeList<T>(path: string, options: ReadOptions = {}): ReadList<T> {
  const { data, error, isPending, isFetching, refetch } = useGet<{ data: T[] }>(path, options)
  return {
    rows: data?.data ?? [],
    total: null,
    error,
    isPending,
    isFetching,
    hasMore: false,
    isMoreFailed: false,
    isPastFirstPage: false,
    readMore() {},
    refetch: () => void refetch(),
    isBehind: false,
    catchUp() {},
  }
}

/** Pages of 100 records. Teams with more choose records on the page of that resource. */
const PAGES_MAX = 10
const COUNT_PER_PAGE = 100

/** Reads all records of a list for a choice, such as domains or senders. Undefined until they are loaded. */
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
        const query = { limit: COUNT_PER_PAGE, after: rows.at(-1)?.id }
        const { data, has_more } = await requestJson<ListOf<T>>(path, { teamId, query, signal })
        rows.push(...data)
        if (!has_more) break
      }
      return rows
    },
  })
}

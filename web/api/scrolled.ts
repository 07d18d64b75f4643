import { hashKey, type InfiniteData, type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'

/** Whether it is a list that was read beyond its first page: reading it again asks for every page, one after the other. */
export function isScrolled({ state: { data } }: { state: { data: unknown } }): boolean {
  const pages = (data as Partial<InfiniteData<unknown>> | undefined)?.pages
  return Array.isArray(pages) && pages.length > 1
}

interface Behind {
  /** Something happened since a list was scrolled that it does not show. */
  isBehind: boolean
  /** Shows it: the list begins anew with its first page. */
  catchUp(): void
}

/** What happens while a list is scrolled is not read by itself: rows would move under the reader's eyes. */
export function useBehind(queryKey: QueryKey): Behind {
  const client = useQueryClient()
  const cache = client.getQueryCache()
  const hash = hashKey(queryKey)
  const isBehind = useSyncExternalStore(cache.subscribe, () => {
    const query = cache.get(hash)
    return query?.state.isInvalidated === true && isScrolled(query)
  })
  return {
    isBehind,
    catchUp() {
      client.setQueryData<InfiniteData<unknown>>(
        queryKey,
        (data) => data && { pages: data.pages.slice(0, 1), pageParams: data.pageParams.slice(0, 1) },
      )
      void client.invalidateQueries({ queryKey })
      window.scrollTo({ top: 0 })
    },
  }
}

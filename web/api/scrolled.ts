import { hashKey, type InfiniteData, type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'

/**
 * Returns whether a list has loaded more than its first page. Refetching it would request every page, one after the
 * other.
 */
export function isScrolled({ state: { data } }: { state: { data: unknown } }): boolean {
  const pages = (data as Partial<InfiniteData<unknown>> | undefined)?.pages
  return Array.isArray(pages) && pages.length > 1
}

interface Behind {
  /** Whether something changed that the scrolled list does not show. */
  isBehind: boolean
  /** Loads the list again from its first page. */
  catchUp(): void
}

/**
 * Tells when a scrolled list is out of date. It is not refetched on its own, because rows would move while the user
 * reads.
 */
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

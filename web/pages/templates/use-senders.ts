import { useEffect } from 'react'
import type { Sender } from '../../api/records.ts'
import { type ReadList, useList } from '../../api/team.ts'

/** Nobody finds one among more by looking. */
const SENDERS_MAX = 500

/** The senders to choose from: all of them, not the first page alone. */
export function useSenders(): ReadList<Sender> {
  const list = useList<Sender>('/senders', { countAPage: 100 })
  const { hasMore, isFetching, error, readMore, rows } = list
  const wantsMore = hasMore && !isFetching && error === null && rows.length < SENDERS_MAX
  useEffect(() => {
    if (wantsMore) readMore()
  }, [wantsMore, readMore])
  return list
}

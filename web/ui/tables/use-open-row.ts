import { useNavigate, useSearch } from '@tanstack/react-router'
import { type RefObject, useEffect } from 'react'
import type { ReadList } from '../../api/team.ts'
import type { RowsVirtualizer } from './rows.tsx'

export interface OpenRow<T> {
  /** The key of the row in the side panel; null while it is closed. */
  key: string | null
  /** Null until the row is loaded, for example after opening a link. */
  row: T | null
  open(key: string): void
  /** Shows the next or the previous row; null at the end of the list. */
  next: (() => void) | null
  previous: (() => void) | null
  /** Closes the panel and returns the focus to its row. */
  close(): void
}

interface OpenRowOptions<T> {
  rows: readonly T[]
  keyOf(row: T): string
  list: Pick<ReadList<T>, 'hasMore' | 'readMore' | 'isFetching' | 'error'>
  virtualizer: RefObject<RowsVirtualizer | null>
}

/** The next page is loaded when the open row is this near to the end. */
const NEAR_END = 10

/** The row in the side panel. The page's address names it (`row`), so that a link opens it again. */
export function useOpenRow<T>({ rows, keyOf, list, virtualizer }: OpenRowOptions<T>): OpenRow<T> {
  const { row: key = null } = useSearch({ strict: false }) as { row?: string }
  const navigate = useNavigate()
  const index = key === null ? -1 : rows.findIndex((row) => keyOf(row) === key)
  const { hasMore, readMore, isFetching, error } = list
  const isNearEnd = index >= 0 && index > rows.length - NEAR_END
  useEffect(() => {
    // Not after an error: `readMore` is new each time the list is drawn, so requests would follow without pause.
    if (isNearEnd && hasMore && !isFetching && error === null) readMore()
  }, [isNearEnd, hasMore, isFetching, error, readMore])
  const show = (rowKey: string | undefined) =>
    void navigate({
      to: '.',
      search: ((before: object) => ({ ...before, row: rowKey })) as never,
      replace: key !== null,
      resetScroll: false,
    })
  const stepTo = (at: number) => {
    const row = rows[at]
    if (index === -1 || row === undefined) return null
    return () => {
      show(keyOf(row))
      const element = rowOf(keyOf(row))
      if (element === null) virtualizer.current?.scrollToIndex(at, { align: 'auto' })
      else element.scrollIntoView({ block: 'nearest' })
    }
  }
  return {
    key,
    row: rows[index] ?? null,
    open: show,
    next: stepTo(index + 1),
    previous: stepTo(index - 1),
    close() {
      show(undefined)
      if (key !== null) linkOfRow(key)?.focus()
    },
  }
}

const rowOf = (key: string) => document.querySelector<HTMLElement>(`tr[data-key="${CSS.escape(key)}"]`)

const linkOfRow = (key: string) => rowOf(key)?.querySelector<HTMLElement>('.row-link')

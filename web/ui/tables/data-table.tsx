import { Box, Button, Center, Skeleton, Text } from '@mantine/core'
import { useIntersection } from '@mantine/hooks'
import { type ReactNode, useCallback, useEffect, useMemo, useRef } from 'react'
import type { ReadList } from '../../api/team.ts'
import { ErrorNote } from '../page/error-note.tsx'
import { type Column, sortRows } from './column.ts'
import type { ListView } from './list-view.ts'
import { NewRows } from './new-rows.tsx'
import { cellStyle } from './row.tsx'
import { type PanelOf, RowPanel } from './row-panel.tsx'
import { Rows, type RowsVirtualizer } from './rows.tsx'
import { type Selection, useSelection } from './selection.ts'
import { TableHead } from './table-head.tsx'
import { useOpenRow } from './use-open-row.ts'

export interface DataTableProps<T> {
  /** The accessible name of the table. */
  label: string
  /** All columns, for lists without a view. */
  columns?: readonly Column<T>[]
  /** The columns and the order that the user chose. */
  view?: ListView<T>
  list: ReadList<T>
  keyOf(row: T): string
  /** Returns the page of a row. Its link is in the first cell. */
  linkOf?: (row: T) => string
  /** Returns the row in words, for its checkbox and panel. */
  labelOf?: (row: T) => string
  /** What the side panel shows of a row. Phones open the page instead. */
  panel?: PanelOf<T>
  /** Returns the actions on the chosen rows. Without it, rows cannot be chosen. */
  bulk?: BulkOf<T> | undefined
  /** Shown when the list is empty. */
  empty: ReactNode
}

/** @param deselect takes the rows out of the choice for which an action succeeded */
type BulkOf<T> = (chosen: readonly T[], deselect: Selection<T>['deselect']) => ReactNode

const SKELETON_ROWS = 6
const NO_COLUMNS: readonly never[] = []

/** A list as a table that loads more rows while the user scrolls. */
export function DataTable<T>({ empty, ...props }: DataTableProps<T>) {
  const { rows, isPending, error, isMoreFailed, hasMore, refetch } = props.list
  const isEmpty = !isPending && rows.length === 0
  return (
    <>
      {error !== null && !isMoreFailed && (
        <Box px="md" py="xxs">
          <ErrorNote error={error} onRetry={refetch} />
        </Box>
      )}
      {isEmpty && error === null && !hasMore && empty}
      {(!isEmpty || hasMore) && <Filled {...props} />}
    </>
  )
}

function Filled<T>({
  label,
  view,
  columns: allColumns = NO_COLUMNS,
  list,
  keyOf,
  linkOf,
  labelOf = keyOf,
  panel,
  bulk,
}: Omit<DataTableProps<T>, 'empty'>) {
  const columns = view?.columns ?? allColumns
  const isWhole = !list.hasMore
  const sort = view?.sort ?? null
  const rows = useSortedRows(list, columns, sort)
  const virtualizer = useRef<RowsVirtualizer>(null)
  const selection = useSelection(rows, keyOf)
  const open = useOpenRow({ rows, keyOf, list, virtualizer })
  const toggle = useLatest(selection.toggle)
  const openRow = useLatest(open.open)
  return (
    <>
      <NewRows list={list} />
      <table
        className="rows"
        aria-label={label}
        aria-busy={list.isPending}
        aria-rowcount={list.hasMore ? -1 : rows.length + 1}
      >
        <TableHead
          columns={columns}
          sort={sort}
          isWhole={isWhole}
          onSort={view?.sortBy}
          choice={bulk === undefined ? null : choiceOfAll(selection, rows.length)}
        />
        {list.isPending ? (
          <SkeletonRows columns={columns} hasChoice={bulk !== undefined} />
        ) : (
          <Rows
            rows={rows}
            keyOf={keyOf}
            columns={columns}
            linkOf={linkOf}
            labelOf={labelOf}
            openKey={panel === undefined ? null : open.key}
            onOpen={panel === undefined ? undefined : openRow}
            isChosen={bulk === undefined ? null : selection.isChosen}
            onToggle={toggle}
            virtualizerRef={virtualizer}
          />
        )}
      </table>
      <More list={list} />
      {bulk !== undefined && <ChosenRows selection={selection} bulk={bulk} />}
      {panel !== undefined && open.key !== null && <RowPanel open={open} panel={panel} linkOf={linkOf} />}
    </>
  )
}

/** Sorts the rows once the list is whole; before that, they stand in the order of the API. */
function useSortedRows<T>(
  { rows, hasMore }: ReadList<T>,
  columns: readonly Column<T>[],
  sort: ListView<T>['sort'] | null,
): readonly T[] {
  return useMemo(() => (hasMore ? rows : sortRows(rows, columns, sort)), [rows, hasMore, columns, sort])
}

function SkeletonRows<T>({ columns, hasChoice }: { columns: readonly Column<T>[]; hasChoice: boolean }) {
  return (
    <tbody>
      {Array.from({ length: SKELETON_ROWS }, (_, index) => (
        <SkeletonRow key={String(index)} columns={columns} hasChoice={hasChoice} />
      ))}
    </tbody>
  )
}

function ChosenRows<T>({
  selection: { chosen, deselect, clear },
  bulk,
}: {
  selection: Selection<T>
  bulk: BulkOf<T>
}) {
  if (chosen.length === 0) return null
  return (
    <BulkBar count={chosen.length} onClear={clear}>
      {bulk(chosen, deselect)}
    </BulkBar>
  )
}

const choiceOfAll = <T,>({ chosen, toggleAll }: Selection<T>, rowCount: number) => ({
  isAll: chosen.length > 0 && chosen.length === rowCount,
  isSome: chosen.length > 0,
  onToggle: toggleAll,
})

/** Returns a function that stays the same and calls the latest one, so that rows are not drawn again for it. */
function useLatest<Arguments extends unknown[]>(
  callback: (...values: Arguments) => void,
): (...values: Arguments) => void {
  const latest = useRef(callback)
  useEffect(() => {
    latest.current = callback
  })
  return useCallback((...values) => latest.current(...values), [])
}

function SkeletonRow<T>({ columns, hasChoice }: { columns: readonly Column<T>[]; hasChoice: boolean }) {
  return (
    <tr>
      {hasChoice && <td className="choose" />}
      {columns.map((column) => (
        <td key={column.header} style={cellStyle(column)} data-wide={column.isWide || undefined}>
          <Skeleton height={14} width="70%" my="xxs" />
        </td>
      ))}
    </tr>
  )
}

/**
 * Loads the next page before the user gets there. The second page waits until its place is in sight: a list of one page
 * shows new rows as they arrive, and must not lose this before the user scrolls. The button serves users who do not
 * scroll.
 */
function More<T>({ list }: { list: ReadList<T> }) {
  const { ref, entry } = useIntersection({ rootMargin: list.isPastFirstPage ? '1500px' : '0px' })
  const { hasMore, readMore, isFetching, error, isMoreFailed } = list
  const isSeen = entry?.isIntersecting === true
  useEffect(() => {
    if (isSeen && hasMore && !isFetching && error === null) readMore()
  }, [isSeen, hasMore, isFetching, error, readMore])
  if (!hasMore) return null
  return (
    <Center ref={ref} py="sm">
      {isMoreFailed && !isFetching ? (
        <ErrorNote error={error} onRetry={readMore} />
      ) : (
        <Button variant="subtle" loading={isFetching} onClick={readMore}>
          Show more
        </Button>
      )}
    </Center>
  )
}

interface BulkBarProps {
  count: number
  onClear(): void
  /** The buttons of the actions. */
  children: ReactNode
}

/** The actions on the chosen rows, at the lower edge of the window. */
function BulkBar({ count, onClear, children }: BulkBarProps) {
  return (
    <section className="bulk-bar" aria-label="Selected rows">
      <Text span size="sm" fw={500} role="status">
        {count.toLocaleString()} selected
      </Text>
      {children}
      <Button variant="subtle" onClick={onClear}>
        Clear selection
      </Button>
    </section>
  )
}

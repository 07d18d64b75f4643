import { Box, Button, Center, Skeleton, VisuallyHidden } from '@mantine/core'
import { useIntersection } from '@mantine/hooks'
import { type ReactNode, useEffect } from 'react'
import type { ReadList } from '../../api/team.ts'
import { Link } from '../link.tsx'
import { ErrorNote } from '../page/error-note.tsx'
import { texts } from '../texts.ts'
import { NewRows } from './new-rows.tsx'

export interface Column<T> {
  header: string
  render(row: T): ReactNode
  /** CSS width. Columns without one share the rest. */
  width?: number | string
  /** Whether the column is hidden on phones. */
  isWide?: boolean
  align?: 'left' | 'right'
  /** The column has buttons, which lie above the link of the row. */
  hasActions?: boolean
}

interface DataTableProps<T> {
  /** The accessible name of the table. */
  label: string
  columns: readonly Column<T>[]
  list: ReadList<T>
  keyOf(row: T): string
  /** Returns the page of a row. Its link is in the first cell. */
  linkOf?: (row: T) => string
  /** Shown when the list is empty. */
  empty: ReactNode
}

const SKELETON_ROWS = 6

/** A list as a table that loads more rows while the user scrolls. */
export function DataTable<T>({ label, columns, list, keyOf, linkOf, empty }: DataTableProps<T>) {
  const { rows, isPending, error } = list
  if (error !== null && rows.length === 0)
    return (
      <Box p="md">
        <ErrorNote error={error} onRetry={list.refetch} />
      </Box>
    )
  if (!isPending && rows.length === 0 && !list.hasMore) return empty
  return (
    <>
      <NewRows list={list} />
      <table className="rows" aria-label={label} aria-busy={isPending}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th
                key={column.header}
                scope="col"
                style={cellStyle(column)}
                data-wide={column.isWide || undefined}
              >
                {column.hasActions ? <VisuallyHidden>{column.header}</VisuallyHidden> : column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {isPending
            ? Array.from({ length: SKELETON_ROWS }, (_, index) => (
                <SkeletonRow key={String(index)} columns={columns} />
              ))
            : rows.map((row) => <Row key={keyOf(row)} row={row} columns={columns} linkOf={linkOf} />)}
        </tbody>
      </table>
      <More list={list} />
    </>
  )
}

function Row<T>({
  row,
  columns,
  linkOf,
}: {
  row: T
  columns: readonly Column<T>[]
  linkOf: DataTableProps<T>['linkOf']
}) {
  return (
    <tr data-opens={linkOf !== undefined || undefined}>
      {columns.map((column, index) => (
        <td
          key={column.header}
          style={cellStyle(column)}
          data-wide={column.isWide || undefined}
          data-actions={column.hasActions || undefined}
        >
          {index === 0 && linkOf !== undefined ? (
            <Link to={linkOf(row)} className="row-link">
              {column.render(row)}
            </Link>
          ) : (
            column.render(row)
          )}
        </td>
      ))}
    </tr>
  )
}

function SkeletonRow<T>({ columns }: { columns: readonly Column<T>[] }) {
  return (
    <tr>
      {columns.map((column) => (
        <td key={column.header} style={cellStyle(column)} data-wide={column.isWide || undefined}>
          <Skeleton height={14} width="70%" my="xxs" />
        </td>
      ))}
    </tr>
  )
}

const cellStyle = <T,>({ width, align }: Column<T>) => ({ width, textAlign: align ?? ('left' as const) })

/** Loads the next page when it becomes visible. The button serves users who do not scroll. */
function More<T>({ list }: { list: DataTableProps<T>['list'] }) {
  const { ref, entry } = useIntersection({ rootMargin: '400px' })
  const { hasMore, readMore, isFetching, error } = list
  const isSeen = entry?.isIntersecting === true
  useEffect(() => {
    if (isSeen && hasMore && !isFetching && error === null) readMore()
  }, [isSeen, hasMore, isFetching, error, readMore])
  if (!hasMore) return null
  return (
    <Center ref={ref} py="sm">
      <Button variant="subtle" loading={isFetching} onClick={readMore}>
        {texts.dataTable.showMore}
      </Button>
    </Center>
  )
}

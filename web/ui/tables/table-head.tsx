import { UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { Check } from './check.tsx'
import { type Column, nameOf, type Sort } from './column.ts'
import { cellStyle } from './row.tsx'

interface TableHeadProps<T> {
  columns: readonly Column<T>[]
  sort: Sort | null
  /** Whether all rows are loaded, so that the browser can sort them. */
  isWhole: boolean
  /** Undefined for lists that cannot be sorted. */
  onSort: ((column: Column<T>) => void) | undefined
  /** Null for lists without actions on several rows. */
  choice: { isAll: boolean; isSome: boolean; onToggle(): void } | null
}

/** The header row, which stays in view while the list scrolls. */
export function TableHead<T>({ columns, sort, isWhole, onSort, choice }: TableHeadProps<T>) {
  return (
    <thead>
      <tr aria-rowindex={1}>
        {choice !== null && (
          <th scope="col" className="choose">
            <Check
              label="Choose all loaded rows"
              isChosen={choice.isAll}
              isPartly={choice.isSome && !choice.isAll}
              onToggle={choice.onToggle}
            />
          </th>
        )}
        {columns.map((column) => {
          const isSortable =
            onSort !== undefined && (column.isListOrder === true || (isWhole && column.sortOf !== undefined))
          const order = isSortable ? orderOf(column, sort) : null
          return (
            <th
              key={column.header}
              scope="col"
              style={cellStyle(column)}
              data-wide={column.isWide || undefined}
              aria-sort={order ?? undefined}
            >
              {column.hasActions && <VisuallyHidden>{column.header}</VisuallyHidden>}
              {isSortable ? (
                <UnstyledButton className="sort" onClick={() => onSort(column)}>
                  {column.header}
                  {order === 'descending' && <IconArrowDown aria-hidden />}
                  {order === 'ascending' && <IconArrowUp aria-hidden />}
                </UnstyledButton>
              ) : (
                !column.hasActions && column.header
              )}
            </th>
          )
        })}
      </tr>
    </thead>
  )
}

/** Without a sort, the newest records come first. */
function orderOf<T>(column: Column<T>, sort: Sort | null): 'ascending' | 'descending' | null {
  if (sort === null) return column.isListOrder ? 'descending' : null
  if (sort.name !== nameOf(column)) return null
  return sort.isDescending ? 'descending' : 'ascending'
}

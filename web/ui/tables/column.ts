import type { ReactNode } from 'react'

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
  /** Whether the column is hidden until the user chooses it. */
  isExtra?: boolean
  /** The API returns the list in the order of this time, so that the whole list can be sorted by it. */
  isListOrder?: boolean
  /** Returns the value to sort by, once all rows are loaded. Null comes last. */
  sortOf?: (row: T) => string | number | null
}

/** Returns the column with the buttons of a row. Default: the width of one button. */
export const actionsColumn = <T>(render: (row: T) => ReactNode, width = 56): Column<T> => ({
  header: 'Actions',
  render,
  width,
  align: 'right',
  hasActions: true,
})

/** Returns a column of numbers, which is hidden on phones. */
export const numberColumn = <T>(header: string, render: (row: T) => ReactNode, width = 90): Column<T> => ({
  header,
  render,
  width,
  align: 'right',
  isWide: true,
})

/** Returns the name of the column in addresses. */
export const nameOf = ({ header }: Pick<Column<never>, 'header'>): string =>
  header.toLowerCase().replace(/[^a-z0-9]+/g, '-')

/** Returns whether the user may hide the column: not the first one, which opens the row, nor that of the actions. */
export const isOptional = <T>(column: Column<T>, columns: readonly Column<T>[]): boolean =>
  column !== columns[0] && column.hasActions !== true

export interface Sort {
  /** The name of the column. */
  name: string
  isDescending: boolean
}

/** Reads `name` or `-name`, as it is written in addresses. */
export function readSort(text: string | undefined): Sort | null {
  if (text === undefined) return null
  const isDescending = text.startsWith('-')
  return { name: isDescending ? text.slice(1) : text, isDescending }
}

/** Returns the rows sorted by a column, equal ones in their order. */
export function sortRows<T>(
  rows: readonly T[],
  columns: readonly Column<T>[],
  sort: Sort | null,
): readonly T[] {
  const sortOf = sort === null ? undefined : columns.find((each) => nameOf(each) === sort.name)?.sortOf
  if (sort === null || sortOf === undefined) return rows
  const keyed = rows.map((row) => ({ row, key: sortOf(row) }))
  keyed.sort((one, other) => compare(one.key, other.key, sort.isDescending))
  return keyed.map(({ row }) => row)
}

const TEXTS = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })

function compare(one: string | number | null, other: string | number | null, isDescending: boolean): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null)
  const order =
    typeof one === 'number' && typeof other === 'number'
      ? one - other
      : TEXTS.compare(String(one), String(other))
  return isDescending ? -order : order
}

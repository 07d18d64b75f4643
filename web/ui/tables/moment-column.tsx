import { Moment } from '../moment.tsx'
import type { Column } from './column.ts'

interface MomentColumnOptions<T> extends Omit<Column<T>, 'header' | 'render'> {
  isRelative?: boolean
  none?: string
}

/** Returns a column with a time. Default: hidden on phones. */
export function momentColumn<T>(
  header: string,
  at: (row: T) => string | null,
  { isRelative = false, none = '–', ...column }: MomentColumnOptions<T> = {},
): Column<T> {
  const render = (row: T) => <Moment at={at(row)} isRelative={isRelative} none={none} />
  return { header, render, isWide: true, ...column }
}

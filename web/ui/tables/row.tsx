import { memo, type ReactNode, type Ref } from 'react'
import { Check } from './check.tsx'
import type { Column } from './column.ts'
import { useRowHref } from './use-row-links.ts'

export interface RowProps<T> {
  row: T
  rowKey: string
  columns: readonly Column<T>[]
  /** The page of the row. Its link is in the first cell. */
  to: string | undefined
  /** The position in the list, from 0. */
  index: number
  /** Whether the side panel shows the row. */
  isOpen: boolean
  /** Null for lists without actions on several rows. */
  isChosen: boolean | null
  /** The row in words, for the name of its checkbox. */
  label: string
  onToggle(key: string, isRange: boolean): void
  ref: Ref<HTMLTableRowElement>
}

/** The widths are those of the header row. */
const RIGHT = { textAlign: 'right' } as const

/**
 * One row. It is drawn again only when it changes itself, not while the list scrolls. It consists of plain elements:
 * rows come and go while the list scrolls.
 */
export const Row = memo(function Row<T>(props: RowProps<T>) {
  const { row, rowKey, columns, index, isOpen, isChosen, label, onToggle, ref, to } = props
  const hrefOf = useRowHref()
  return (
    <tr
      ref={ref}
      data-index={index}
      data-key={rowKey}
      data-opens={to !== undefined || undefined}
      data-open={isOpen || undefined}
      data-chosen={isChosen || undefined}
      aria-rowindex={index + 2}
    >
      {isChosen !== null && (
        <td className="choose" data-actions>
          <Check
            label={`Choose ${label}`}
            isChosen={isChosen}
            onToggle={(isRange) => onToggle(rowKey, isRange)}
          />
        </td>
      )}
      {columns.map((column, at) => (
        <td
          key={column.header}
          style={column.align === 'right' ? RIGHT : undefined}
          data-wide={column.isWide || undefined}
          data-actions={column.hasActions || undefined}
        >
          {at === 0 && to !== undefined ? (
            <a href={hrefOf(to)} className="row-link" aria-current={isOpen ? 'true' : undefined}>
              {column.render(row)}
            </a>
          ) : (
            column.render(row)
          )}
        </td>
      ))}
    </tr>
  )
}) as <T>(props: RowProps<T>) => ReactNode

export const cellStyle = <T,>({ width, align }: Column<T>) => ({
  width,
  textAlign: align ?? ('left' as const),
})

import { Checkbox } from '@mantine/core'
import { type MouseEvent, memo, type ReactNode, type Ref } from 'react'
import { Link } from '../link.tsx'
import { texts } from '../texts.ts'
import type { Column } from './column.ts'

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
  /** Opens the side panel; undefined for lists without one. */
  onOpen: ((key: string) => void) | undefined
  onToggle(key: string, isRange: boolean): void
  ref: Ref<HTMLTableRowElement>
}

/** Below this width a row opens its page instead of the side panel. */
const PANEL_QUERY = '(min-width: 48.01em)'

/** One row. It is drawn again only when it changes itself, not while the list scrolls. */
export const Row = memo(function Row<T>(props: RowProps<T>) {
  const { row, rowKey, columns, index, isOpen, isChosen, label, onToggle, ref, to } = props
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
          <Checkbox
            size="xs"
            aria-label={texts.tables.choose(label)}
            checked={isChosen}
            onClick={(event) => onToggle(rowKey, event.shiftKey)}
            readOnly
          />
        </td>
      )}
      {columns.map((column, at) => (
        <td
          key={column.header}
          style={cellStyle(column)}
          data-wide={column.isWide || undefined}
          data-actions={column.hasActions || undefined}
        >
          {at === 0 && to !== undefined ? (
            <RowLink {...props} to={to}>
              {column.render(row)}
            </RowLink>
          ) : (
            column.render(row)
          )}
        </td>
      ))}
    </tr>
  )
}) as <T>(props: RowProps<T>) => ReactNode

function RowLink<T>({
  rowKey,
  to,
  isOpen,
  onOpen,
  children,
}: Pick<RowProps<T>, 'rowKey' | 'isOpen' | 'onOpen'> & { to: string; children: ReactNode }) {
  const onClick = (event: MouseEvent) => {
    if (onOpen === undefined || isForNewTab(event) || !window.matchMedia(PANEL_QUERY).matches) return
    event.preventDefault()
    onOpen(rowKey)
  }
  return (
    <Link to={to} className="row-link" onClick={onClick} aria-current={isOpen ? 'true' : undefined}>
      {children}
    </Link>
  )
}

const isForNewTab = ({ ctrlKey, metaKey, shiftKey, altKey, button }: MouseEvent) =>
  ctrlKey || metaKey || shiftKey || altKey || button !== 0

export const cellStyle = <T,>({ width, align }: Column<T>) => ({
  width,
  textAlign: align ?? ('left' as const),
})

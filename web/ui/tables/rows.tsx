import { useWindowVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import { type ReactNode, type Ref, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import type { Column } from './column.ts'
import { Row } from './row.tsx'

/** Before it is measured. */
const ROW_PX = 38
/** Lists up to this length are drawn whole. */
const WHOLE_MAX = 100
/** Rows drawn above and below the window. */
const OVERSCAN = 12
/** The strip of test mode, the bar of phones and the header row cover a row at the edge. */
const COVERED_PX = 110

export type RowsVirtualizer = Virtualizer<Window, HTMLTableRowElement>

interface RowsProps<T> {
  rows: readonly T[]
  keyOf(row: T): string
  columns: readonly Column<T>[]
  linkOf: ((row: T) => string) | undefined
  openKey: string | null
  onOpen: ((key: string) => void) | undefined
  isChosen: ((key: string) => boolean) | null
  labelOf(row: T): string
  onToggle(key: string, isRange: boolean): void
  /** Receives what scrolls to rows that are not drawn. */
  virtualizerRef: RefObject<RowsVirtualizer | null>
}

/** The rows of a list. Of a long one, only those near the window are drawn; two empty rows stand for the others. */
export function Rows<T>({ rows, keyOf, columns, virtualizerRef, ...props }: RowsProps<T>) {
  const body = useRef<HTMLTableSectionElement>(null)
  const top = useTop(body)
  const isWhole = rows.length <= WHOLE_MAX
  const virtualizer = useWindowVirtualizer<HTMLTableRowElement>({
    count: rows.length,
    estimateSize: () => ROW_PX,
    overscan: isWhole ? WHOLE_MAX : OVERSCAN,
    scrollMargin: top,
    scrollPaddingStart: COVERED_PX,
    scrollPaddingEnd: ROW_PX,
    getItemKey: (index) => keyOf(rows[index] as T),
    useFlushSync: false,
  })
  virtualizerRef.current = virtualizer
  const items = virtualizer.getVirtualItems()
  const spans = columns.length + 1
  const before = (items[0]?.start ?? top) - top
  const after = virtualizer.getTotalSize() - ((items.at(-1)?.end ?? top) - top)
  return (
    <tbody ref={body}>
      <Gap heightPx={before} spans={spans} />
      {items.map(({ index, key }) => {
        const row = rows[index]
        return row === undefined ? null : (
          <Item
            key={String(key)}
            {...props}
            row={row}
            index={index}
            rowKey={String(key)}
            columns={columns}
            measure={virtualizer.measureElement}
          />
        )
      })}
      <Gap heightPx={after} spans={spans} />
    </tbody>
  )
}

interface ItemProps<T>
  extends Pick<
    RowsProps<T>,
    'columns' | 'linkOf' | 'openKey' | 'onOpen' | 'isChosen' | 'labelOf' | 'onToggle'
  > {
  row: T
  rowKey: string
  index: number
  measure: Ref<HTMLTableRowElement>
}

/** Hands a row only values, so that rows that did not change are not drawn again. */
function Item<T>({
  row,
  rowKey,
  index,
  columns,
  linkOf,
  openKey,
  onOpen,
  isChosen,
  labelOf,
  onToggle,
  measure,
}: ItemProps<T>): ReactNode {
  return (
    <Row
      row={row}
      rowKey={rowKey}
      index={index}
      columns={columns}
      to={linkOf?.(row)}
      isOpen={openKey === rowKey}
      isChosen={isChosen === null ? null : isChosen(rowKey)}
      label={labelOf(row)}
      onOpen={onOpen}
      onToggle={onToggle}
      ref={measure}
    />
  )
}

/** Keeps the place of rows that are not drawn. */
function Gap({ heightPx, spans }: { heightPx: number; spans: number }) {
  if (heightPx < 1) return null
  return (
    <tr aria-hidden className="gap">
      <td colSpan={spans} style={{ height: heightPx }} />
    </tr>
  )
}

/** Returns the distance of an element from the top of the page, which changes when filters open above it. */
function useTop(element: RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(0)
  useLayoutEffect(() => {
    const measure = () => {
      const box = element.current?.getBoundingClientRect()
      if (box !== undefined) setTop(Math.round(box.top + window.scrollY))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [element])
  return top
}

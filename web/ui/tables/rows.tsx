import { useWindowVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import {
  type ReactNode,
  type Ref,
  type RefObject,
  useCallback,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import type { Column } from './column.ts'
import { Row } from './row.tsx'
import { useRowLinks } from './use-row-links.ts'

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
  const rowPx = useRef(ROW_PX)
  // With another function, the library would lay out all rows again, in every frame of a scroll.
  const getItemKey = useCallback((index: number) => keyOf(rows[index] as T), [rows, keyOf])
  const links = useRowLinks(props.onOpen)
  const virtualizer = useWindowVirtualizer<HTMLTableRowElement>({
    count: rows.length,
    estimateSize: () => rowPx.current,
    overscan: isWhole ? WHOLE_MAX : OVERSCAN,
    scrollMargin: top,
    scrollPaddingStart: COVERED_PX,
    scrollPaddingEnd: ROW_PX,
    getItemKey,
    useFlushSync: false,
  })
  virtualizerRef.current = virtualizer
  useMeasuredRow(body, rowPx, isWhole ? null : virtualizer)
  const items = virtualizer.getVirtualItems()
  const before = (items[0]?.start ?? top) - top
  const after = virtualizer.getTotalSize() - ((items.at(-1)?.end ?? top) - top)
  return (
    <tbody ref={body} {...links}>
      <Gap heightPx={before} />
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
            measure={isWhole ? null : virtualizer.measureElement}
          />
        )
      })}
      <Gap heightPx={after} />
    </tbody>
  )
}

interface ItemProps<T>
  extends Pick<RowsProps<T>, 'columns' | 'linkOf' | 'openKey' | 'isChosen' | 'labelOf' | 'onToggle'> {
  row: T
  rowKey: string
  index: number
  /** Null for lists that are drawn whole. */
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
      onToggle={onToggle}
      ref={measure}
    />
  )
}

/**
 * Keeps the place of rows that are not drawn. Its cell spans no columns: phones and settings hide some, and a span over
 * more columns than the header shows adds empty ones, which take their width from all others.
 */
function Gap({ heightPx }: { heightPx: number }) {
  if (heightPx < 1) return null
  return (
    <tr aria-hidden className="gap">
      <td style={{ height: heightPx }} />
    </tr>
  )
}

/** Expects rows as high as the first one is, because each row of another height moves all rows below it. */
function useMeasuredRow(
  body: RefObject<HTMLElement | null>,
  rowPx: RefObject<number>,
  virtualizer: RowsVirtualizer | null,
): void {
  useLayoutEffect(() => {
    const heightPx = body.current?.querySelector<HTMLElement>('tr[data-index]')?.offsetHeight ?? 0
    if (virtualizer === null || heightPx === 0 || heightPx === rowPx.current) return
    rowPx.current = heightPx
    virtualizer.measure()
  }, [body, rowPx, virtualizer])
}

/** Returns the distance of an element from the top of the page, which changes when filters open above it. */
function useTop(element: RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(0)
  useLayoutEffect(() => {
    const measure = () => {
      const box = element.current?.getBoundingClientRect()
      if (box !== undefined) setTop(Math.round(box.top + window.scrollY))
    }
    // It also reports at once, after the layout, so that nothing has to be laid out for it.
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [element])
  return top
}

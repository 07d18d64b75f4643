import './metrics.css'
import type { ReactNode } from 'react'

interface FiguresTableProps {
  /** Names the box, for assistive technology. */
  label: string
  /** The first is that of the rows. */
  headers: readonly string[]
  /** Whether it scrolls instead of showing all rows. */
  isLong?: boolean
  /** The rows, each with a header of its own. */
  children: ReactNode
}

/** A table of numbers, in a box that scrolls where it is wider than the page. */
export function FiguresTable({ label, headers, isLong = false, children }: FiguresTableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must take the focus (WCAG 2.1.1)
    <section className={isLong ? 'figures figures-long' : 'figures'} aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {headers.map((header) => (
              <th key={header} scope="col">
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  )
}

import { type CsvHead, ROWS_SHOWN } from './csv-head.ts'
import type { Mapping } from './mapping.ts'

/** The first rows as they will be imported. */
export function Preview({ head: { rows, columns }, mapping }: { head: CsvHead; mapping: Mapping }) {
  const places = mapping.flatMap((field, place) => (field === '' ? [] : [{ field, place }]))
  return (
    // The box scrolls, so it must be reachable by keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must take the focus (WCAG 2.1.1)
    <section className="preview-box" tabIndex={0} aria-label="The first rows">
      <table className="preview">
        <thead>
          <tr>
            {places.map(({ field, place }) => (
              <th key={place} scope="col" title={columns[place]}>
                {field.replace(/^properties\./, '')}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, ROWS_SHOWN).map((row, line) => (
            <tr key={String(line)}>
              {places.map(({ place }) => (
                <td key={place}>
                  <bdi>{row[place] ?? ''}</bdi>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

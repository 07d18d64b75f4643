import { Select, Text } from '@mantine/core'
import type { Property } from '../../api/records.ts'
import { type CsvHead, ROWS_SHOWN } from './csv-head.ts'
import { type ImportKind, KINDS } from './kinds.ts'
import type { Mapping } from './mapping.ts'

interface MappingTableProps {
  kind: ImportKind
  head: CsvHead
  mapping: Mapping
  properties: readonly Property[]
  /** An empty field skips the column. */
  onChange(place: number, field: string): void
  /** Creates a property for a column; undefined when the user may not. */
  onCreate: ((place: number) => void) | undefined
}

const NEW = ':new'
const EXAMPLES = 2

/** Maps each column of the file to a field. */
export function MappingTable({
  kind,
  head: { columns, rows },
  mapping,
  properties,
  onChange,
  onCreate,
}: MappingTableProps) {
  const options = [
    {
      group: 'Fields',
      items: KINDS[kind].fields.map(({ name, label }) => ({ value: name, label })),
    },
    {
      group: 'Properties',
      items: [
        ...properties.map(({ key, type }) => ({ value: `properties.${key}`, label: `${key} (${type})` })),
        ...(onCreate === undefined ? [] : [{ value: NEW, label: 'Create property…' }]),
      ],
    },
  ].filter(({ items }) => items.length > 0)
  const pick = (place: number, value: string | null) => {
    if (value === NEW) onCreate?.(place)
    else onChange(place, value ?? '')
  }
  const firstRows = rows.slice(0, ROWS_SHOWN)
  return columns.map((column, place) => {
    const examples = firstRows.flatMap((row) => row[place] || []).slice(0, EXAMPLES)
    return (
      <div key={`${String(place)} ${column}`} className="mapping-row">
        <Text size="sm" fw={500} className="foreign one-line">
          {column === '' ? '(no name)' : column}
        </Text>
        <Text size="sm" c="dimmed" className="one-line">
          <bdi>{examples.length === 0 ? 'empty' : examples.join(' · ')}</bdi>
        </Text>
        <Select
          aria-label={`Field for column ${column}`}
          placeholder="Skipped"
          clearable
          searchable
          // Else it would open over the other rows when the dialog for a new property returns the focus.
          openOnFocus={false}
          data={options}
          value={mapping[place] || null}
          onChange={(value) => pick(place, value)}
        />
      </div>
    )
  })
}

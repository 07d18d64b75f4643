import { Alert, Button, Group, Select, Stack, Text } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useProperties } from '../../api/properties.ts'
import type { Import, Property } from '../../api/records.ts'
import { useChange, useMay, useTeam } from '../../api/team.ts'
import { showBytes } from '../../ui/bytes.ts'
import { ErrorNote } from '../../ui/error-note.tsx'
import { ListChoice } from '../../ui/list-choice.tsx'
import { Section } from '../../ui/section.tsx'
import type { Delimiter } from './csv-head.ts'
import type { ChosenFile } from './import-page.tsx'
import { type ImportKind, KINDS } from './kinds.ts'
import { faultOf, guessMapping, type Mapping, writeMapping } from './mapping.ts'
import { MappingTable } from './mapping-table.tsx'
import { NewProperty } from './new-property.tsx'
import { Preview } from './preview.tsx'

interface PreparedImportProps {
  kind: ImportKind
  chosen: ChosenFile
  onDelimiter(delimiter: Delimiter): void
  onBack(): void
}

const DELIMITER_WORDS = [
  { value: 'comma', label: 'Comma' },
  { value: 'semicolon', label: 'Semicolon' },
  { value: 'tab', label: 'Tab' },
]

/** What the columns of the chosen file are, and where its rows go; then it starts. */
export function PreparedImport({ kind, chosen: { file, head }, onDelimiter, onBack }: PreparedImportProps) {
  const properties = useProperties()
  const may = useMay()
  /** Column to field, where somebody chose otherwise than is guessed. */
  const [picked, setPicked] = useState<Readonly<Record<number, string>>>({})
  const [creatingAt, setCreatingAt] = useState<number | null>(null)
  const { list_id: listId } = useSearch({ strict: false }) as { list_id?: string }
  const [listIds, setListIds] = useState<string[]>(listId === undefined ? [] : [listId])
  const guessed = useMemo(
    () => (properties === undefined ? null : guessMapping(head.columns, kind, properties)),
    [properties, head, kind],
  )
  const fields = head.columns.map((_, place) => picked[place] ?? guessed?.[place] ?? '')
  const set = (place: number, field: string) => setPicked((before) => ({ ...before, [place]: field }))
  const created = ({ key }: Property) => {
    if (creatingAt !== null) set(creatingAt, `properties.${key}`)
    setCreatingAt(null)
  }
  const mayCreate = KINDS[kind].hasProperties && may.change('Properties')
  return (
    <>
      <Section
        title={file.name}
        description={`${showBytes(file.size)}, ${head.columns.length} columns`}
        actions={
          <Button variant="default" onClick={onBack}>
            Choose another file
          </Button>
        }
      >
        <Group align="flex-start" grow preventGrowOverflow={false}>
          <Select
            label="Columns are divided by"
            data={DELIMITER_WORDS}
            value={head.delimiter}
            allowDeselect={false}
            onChange={(value) => onDelimiter(value as Delimiter)}
            maw={240}
          />
          {kind === 'contacts' && (
            <div style={{ minWidth: 220 }}>
              <ListChoice label="Add all of them to lists" value={listIds} onChange={setListIds} />
            </div>
          )}
        </Group>
      </Section>
      <Section
        title="What the columns are"
        description="Columns that are passed over change nothing."
        isFlush
      >
        <MappingTable
          kind={kind}
          head={head}
          mapping={fields}
          properties={KINDS[kind].hasProperties ? (properties ?? []) : []}
          onChange={set}
          onCreate={mayCreate ? setCreatingAt : undefined}
        />
      </Section>
      {fields.some((field) => field !== '') && head.rows.length > 0 && (
        <Section title="How the first rows are read" isFlush>
          <Preview head={head} mapping={fields} />
        </Section>
      )}
      {guessed !== null && <Start kind={kind} file={file} head={head} mapping={fields} listIds={listIds} />}
      <NewProperty
        column={creatingAt === null ? null : (head.columns[creatingAt] ?? '')}
        examples={creatingAt === null ? [] : head.rows.map((row) => row[creatingAt] ?? '')}
        onDone={created}
        onClose={() => setCreatingAt(null)}
      />
    </>
  )
}

interface StartProps extends ChosenFile {
  kind: ImportKind
  mapping: Mapping
  listIds: readonly string[]
}

function Start({ kind, file, head, mapping, listIds }: StartProps) {
  const team = useTeam()
  const navigate = useNavigate()
  const change = useChange<Import>({
    onDone: ({ id }) => void navigate({ to: `/${team.id}/imports/${kind}/${id}` }),
  })
  const fault = faultOf(head.columns, mapping)
  const start = () =>
    change.mutate({
      path: `/${kind}/import`,
      method: 'POST',
      query: {
        delimiter: head.delimiter,
        mapping: writeMapping(head.columns, mapping),
        list_ids: listIds.join(','),
      },
      // As it is, whatever the system takes its type for.
      body: new Blob([file], { type: 'text/csv' }),
    })
  return (
    <Stack gap="xs" align="flex-end">
      {fault !== null && (
        <Alert color="yellow" role="status" w="100%">
          {fault}
        </Alert>
      )}
      <ErrorNote error={change.error} />
      {change.isPending && (
        <Text size="sm" c="dimmed" role="status">
          The file is being uploaded; stay on this page until it has arrived.
        </Text>
      )}
      <Button onClick={start} disabled={fault !== null} loading={change.isPending}>
        Start the import
      </Button>
    </Stack>
  )
}

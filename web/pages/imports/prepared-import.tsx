import { Alert, Button, Group, Select, Stack, Text } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useMemo, useState } from 'react'
import { useProperties } from '../../api/properties.ts'
import type { Import, Property } from '../../api/records.ts'
import { useChange, useMay, useTeam } from '../../api/team.ts'
import { showBytes } from '../../ui/bytes.ts'
import { ListChoice } from '../../ui/forms/list-choice.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { Section } from '../../ui/page/section.tsx'
import type { CsvHead, Delimiter } from './csv-head.ts'
import type { ChosenFile } from './import-page.tsx'
import { type ImportKind, KINDS } from './kinds.ts'
import { faultOf, guessMapping, type Mapping, writeMapping } from './mapping.ts'
import { MappingTable } from './mapping-table.tsx'
import { NewProperty } from './new-property.tsx'
import { Preview } from './preview.tsx'
import { texts } from './texts.ts'

interface PreparedImportProps {
  kind: ImportKind
  chosen: ChosenFile
  onDelimiter(delimiter: Delimiter): void
  onBack(): void
}

const DELIMITER_WORDS = [
  { value: 'comma', label: texts.preparedImport.comma },
  { value: 'semicolon', label: texts.preparedImport.semicolon },
  { value: 'tab', label: texts.preparedImport.tab },
]

/** Maps the columns of the chosen file to fields, chooses lists for its rows, and starts the import. */
export function PreparedImport({ kind, chosen, onDelimiter, onBack }: PreparedImportProps) {
  const { file, head } = chosen
  const properties = useProperties()
  const may = useMay()
  const { fields, set, isReady } = useMapping(kind, head, properties)
  const [creatingAt, setCreatingAt] = useState<number | null>(null)
  const { list_id: listId } = useSearch({ strict: false }) as { list_id?: string }
  const [listIds, setListIds] = useState<string[]>(listId === undefined ? [] : [listId])
  const created = ({ key }: Property) => {
    if (creatingAt !== null) set(creatingAt, `properties.${key}`)
    setCreatingAt(null)
  }
  const mayCreate = KINDS[kind].hasProperties && may.change('Properties')
  return (
    <>
      <FileSection chosen={chosen} onBack={onBack}>
        <Group align="flex-start" grow preventGrowOverflow={false}>
          <DelimiterSelect value={head.delimiter} onChange={onDelimiter} />
          {kind === 'contacts' && (
            <div style={{ minWidth: 220 }}>
              <ListChoice
                label={texts.preparedImport.addAllContactsLists}
                value={listIds}
                onChange={setListIds}
              />
            </div>
          )}
        </Group>
      </FileSection>
      <Section
        title={texts.preparedImport.columns}
        description={texts.preparedImport.skippedColumnsAreIgnored}
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
        <Section title={texts.preparedImport.previewFirstRows} isFlush>
          <Preview head={head} mapping={fields} />
        </Section>
      )}
      {isReady && <Start kind={kind} file={file} head={head} mapping={fields} listIds={listIds} />}
      <NewProperty
        column={creatingAt === null ? null : (head.columns[creatingAt] ?? '')}
        examples={creatingAt === null ? [] : head.rows.map((row) => row[creatingAt] ?? '')}
        onDone={created}
        onClose={() => setCreatingAt(null)}
      />
    </>
  )
}

/** The fields of the columns: guessed from their names until the user chooses others. */
function useMapping(kind: ImportKind, head: CsvHead, properties: readonly Property[] | undefined) {
  const [picked, setPicked] = useState<Readonly<Record<number, string>>>({})
  const guessed = useMemo(
    () => (properties === undefined ? null : guessMapping(head.columns, kind, properties)),
    [properties, head, kind],
  )
  return {
    fields: head.columns.map((_, place) => picked[place] ?? guessed?.[place] ?? ''),
    set: (place: number, field: string) => setPicked((before) => ({ ...before, [place]: field })),
    isReady: guessed !== null,
  }
}

interface FileSectionProps {
  chosen: ChosenFile
  onBack(): void
  children: ReactNode
}

function FileSection({ chosen: { file, head }, onBack, children }: FileSectionProps) {
  return (
    <Section
      title={file.name}
      description={texts.preparedImport.fileFacts(showBytes(file.size), head.columns.length)}
      actions={
        <Button variant="default" onClick={onBack}>
          {texts.preparedImport.chooseAnotherFile}
        </Button>
      }
    >
      {children}
    </Section>
  )
}

interface DelimiterSelectProps {
  value: Delimiter
  onChange(value: Delimiter): void
}

function DelimiterSelect({ value, onChange }: DelimiterSelectProps) {
  return (
    <Select
      label={texts.preparedImport.delimiter}
      data={DELIMITER_WORDS}
      value={value}
      allowDeselect={false}
      onChange={(next) => onChange(next as Delimiter)}
      maw={240}
    />
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
      // The system may assign another type to the file.
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
          {texts.preparedImport.uploadingFileStayPage}
        </Text>
      )}
      <Button onClick={start} disabled={fault !== null} loading={change.isPending}>
        {texts.preparedImport.startTheImport}
      </Button>
    </Stack>
  )
}

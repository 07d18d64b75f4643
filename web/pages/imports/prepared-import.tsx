import { Button, Group, Modal, Select, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { type ReactNode, useMemo, useState } from 'react'
import { useProperties } from '../../api/properties.ts'
import type { ContactList, Property } from '../../api/records.ts'
import { useMay } from '../../api/team.ts'
import { showBytes } from '../../ui/bytes.ts'
import { DialogForm, useDialogForm } from '../../ui/forms/dialog-form.tsx'
import { ListChoice } from '../../ui/forms/list-choice.tsx'
import { Section } from '../../ui/page/section.tsx'
import { type ChosenFile, type CsvHead, type HeadOptions, ROWS_SHOWN } from './csv-head.ts'
import { FileForm, GuessedEncoding } from './file-form.tsx'
import { type ImportKind, KINDS } from './kinds.ts'
import { guessMapping, type Mapping } from './mapping.ts'
import { MappingTable } from './mapping-table.tsx'
import { NewProperty } from './new-property.tsx'
import { StartImport } from './start-import.tsx'

interface PreparedImportProps {
  kind: ImportKind
  chosen: ChosenFile
  onHeadOptions(options: HeadOptions): void
  options: ImportOptions
  onOptions(options: ImportOptions): void
  onBack(): void
}

const EXISTING = [
  { value: 'update', label: 'Update' },
  { value: 'skip', label: 'Leave unchanged' },
]

/** Maps the columns of the chosen file to fields, chooses lists for its rows, and starts the import. */
export function PreparedImport(props: PreparedImportProps) {
  const { kind, chosen, onHeadOptions, options, onOptions, onBack } = props
  const { file, head } = chosen
  const properties = useProperties()
  const may = useMay()
  const { fields, set, isReady } = useMapping(kind, head, properties)
  const [creatingAt, setCreatingAt] = useState<number | null>(null)
  const mapNewProperty = ({ key }: Property) => {
    if (creatingAt !== null) set(creatingAt, `properties.${key}`)
    setCreatingAt(null)
  }
  const mayCreate = KINDS[kind].hasProperties && may.change('Properties')
  return (
    <>
      <FileSection chosen={chosen} onBack={onBack}>
        <Options kind={kind} head={head} onOptions={onHeadOptions} options={options} onChange={onOptions} />
      </FileSection>
      <Section title="Columns" description="Skipped columns are ignored." isFlush>
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
        <Section title="Preview of the first rows" isFlush>
          <Preview head={head} mapping={fields} />
        </Section>
      )}
      {isReady && (
        <StartImport
          // The result of a check holds for these columns.
          key={fields.join(' ')}
          kind={kind}
          file={file}
          head={head}
          mapping={fields}
          {...options}
        />
      )}
      <NewProperty
        column={creatingAt === null ? null : (head.columns[creatingAt] ?? '')}
        values={creatingAt === null ? [] : head.rows.map((row) => row[creatingAt] ?? '')}
        onDone={mapNewProperty}
        onClose={() => setCreatingAt(null)}
      />
    </>
  )
}

export interface ImportOptions {
  listIds: string[]
  /** What happens to contacts that exist. */
  existing: string
}

interface OptionsProps {
  kind: ImportKind
  head: CsvHead
  onOptions(options: HeadOptions): void
  options: ImportOptions
  onChange(options: ImportOptions): void
}

function Options({ kind, head, onOptions, options, onChange }: OptionsProps) {
  const may = useMay()
  const setLists = (listIds: string[]) => onChange({ ...options, listIds })
  return (
    <Group align="flex-end">
      <FileForm head={head} onOptions={onOptions} />
      {kind === 'contacts' && (
        <>
          <Select
            label="Contacts that exist"
            data={EXISTING}
            value={options.existing}
            allowDeselect={false}
            onChange={(next) => onChange({ ...options, existing: next ?? 'update' })}
          />
          <div style={{ flex: 1, minWidth: 220 }}>
            <ListChoice label="Add all contacts to lists" value={options.listIds} onChange={setLists} />
          </div>
          {may.change('Lists') && <NewList onDone={({ id }) => setLists([...options.listIds, id])} />}
        </>
      )}
    </Group>
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
      description={`${showBytes(file.size)}, ${head.columns.length} columns`}
      actions={
        <Button variant="default" onClick={onBack}>
          Choose another file
        </Button>
      }
    >
      <GuessedEncoding head={head} />
      {children}
    </Section>
  )
}

/** Creates a list for the rows of a file. */
function NewList({ onDone }: { onDone(list: ContactList): void }) {
  const [isOpen, { open, close }] = useDisclosure()
  return (
    <>
      <Button variant="default" leftSection={<IconPlus />} onClick={open}>
        Create list
      </Button>
      <Modal opened={isOpen} onClose={close} title="Create list">
        <Fields
          onClose={close}
          onDone={(list) => {
            onDone(list)
            close()
          }}
        />
      </Modal>
    </>
  )
}

function Fields({ onDone, onClose }: { onDone(list: ContactList): void; onClose(): void }) {
  const { form, frame } = useDialogForm({
    initialValues: { name: '' },
    requestOf: (body) => ({ path: '/lists', method: 'POST', body }),
    onDone,
    onClose,
  })
  return (
    <DialogForm {...frame} action="Create list">
      <TextInput label="Name" required data-autofocus {...form.getInputProps('name')} />
    </DialogForm>
  )
}

/** The first rows as they will be imported. */
function Preview({ head: { rows, columns }, mapping }: { head: CsvHead; mapping: Mapping }) {
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

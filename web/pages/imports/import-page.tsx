import { Alert, Group } from '@mantine/core'
import { useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useMay, useTeam } from '../../api/team.ts'
import { Page } from '../../ui/page/page.tsx'
import { Section } from '../../ui/page/section.tsx'
import { type ChosenFile, type HeadOptions, readHead } from './csv-head.ts'
import { FileChoice } from './file-choice.tsx'
import { FileForm } from './file-form.tsx'
import { type ImportKind, KINDS } from './kinds.ts'
import { PastImports } from './past-imports.tsx'
import { type ImportOptions, PreparedImport } from './prepared-import.tsx'

const AREAS = { contacts: 'Contacts', suppressions: 'Suppressions' } as const

/** Imports contacts or suppressions: choose a file, map its columns, start. */
export function ImportPage() {
  const { kind } = useParams({ from: '/inside/$teamId/imports/$kind' })
  return <OfKind key={kind} kind={kind as ImportKind} />
}

function OfKind({ kind }: { kind: ImportKind }) {
  const team = useTeam()
  const area = AREAS[kind]
  const mayChange = useMay().change(area)
  const [chosenFile, setChosenFile] = useState<ChosenFile | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const { list_id: listId } = useSearch({ strict: false }) as { list_id?: string }
  const [options, setOptions] = useState<ImportOptions>({
    listIds: listId === undefined ? [] : [listId],
    existing: 'update',
  })
  const readChosen = async (file: File, headOptions: HeadOptions = {}) => {
    try {
      setChosenFile({ file, head: await readHead(file, headOptions), options: headOptions })
      setFault(null)
    } catch (error) {
      setChosenFile(null)
      setFault(error instanceof Error ? error.message : String(error))
    }
  }
  const isReadable = chosenFile !== null && chosenFile.head.fault === null
  const changeHeadOptions = (changes: HeadOptions) =>
    chosenFile !== null && void readChosen(chosenFile.file, { ...chosenFile.options, ...changes })
  return (
    <Page
      title={KINDS[kind].title}
      description={KINDS[kind].description}
      trail={[{ label: area, to: `/${team.id}/${kind}` }]}
    >
      {!mayChange && <Alert color="gray">Your role can view imports but not start them.</Alert>}
      {mayChange && !isReadable && (
        <Section title={chosenFile?.file.name}>
          <FileChoice
            kind={kind}
            fault={fault ?? chosenFile?.head.fault ?? null}
            onChoose={(file) => void readChosen(file)}
          >
            {chosenFile !== null && (
              <Group>
                <FileForm head={chosenFile.head} onOptions={changeHeadOptions} />
              </Group>
            )}
          </FileChoice>
        </Section>
      )}
      {mayChange && chosenFile !== null && isReadable && (
        <PreparedImport
          // Another file, delimiter or encoding has different columns.
          key={`${chosenFile.file.name} ${chosenFile.file.lastModified} ${chosenFile.head.delimiter} ${chosenFile.head.encoding}`}
          kind={kind}
          chosen={chosenFile}
          onHeadOptions={changeHeadOptions}
          options={options}
          onOptions={setOptions}
          onBack={() => setChosenFile(null)}
        />
      )}
      {chosenFile === null && <PastImports kind={kind} />}
    </Page>
  )
}

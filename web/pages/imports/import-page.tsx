import { Alert, Group } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useMay, useTeam } from '../../api/team.ts'
import { Page } from '../../ui/page/page.tsx'
import { Section } from '../../ui/page/section.tsx'
import { type ChosenFile, type HeadOptions, readHead } from './csv-head.ts'
import { FileChoice } from './file-choice.tsx'
import { FileForm } from './file-form.tsx'
import { type ImportKind, KINDS } from './kinds.ts'
import { PastImports } from './past-imports.tsx'
import { PreparedImport } from './prepared-import.tsx'

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
  const [chosen, setChosen] = useState<ChosenFile | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const read = async (file: File, options: HeadOptions = {}) => {
    try {
      setChosen({ file, head: await readHead(file, options), options })
      setFault(null)
    } catch (error) {
      setChosen(null)
      setFault(error instanceof Error ? error.message : String(error))
    }
  }
  const isReadable = chosen !== null && chosen.head.fault === null
  const changeOptions = (options: HeadOptions) =>
    chosen !== null && void read(chosen.file, { ...chosen.options, ...options })
  return (
    <Page
      title={KINDS[kind].title}
      description={KINDS[kind].description}
      trail={[{ label: area, to: `/${team.id}/${kind}` }]}
    >
      {!mayChange && <Alert color="gray">Your role can view imports but not start them.</Alert>}
      {mayChange && !isReadable && (
        <Section title={chosen?.file.name}>
          <FileChoice
            kind={kind}
            fault={fault ?? chosen?.head.fault ?? null}
            onChoose={(file) => void read(file)}
          >
            {chosen !== null && (
              <Group>
                <FileForm head={chosen.head} onOptions={changeOptions} />
              </Group>
            )}
          </FileChoice>
        </Section>
      )}
      {mayChange && chosen !== null && isReadable && (
        <PreparedImport
          // Another file, delimiter or encoding has different columns.
          key={`${chosen.file.name} ${chosen.file.lastModified} ${chosen.head.delimiter} ${chosen.head.encoding}`}
          kind={kind}
          chosen={chosen}
          onOptions={changeOptions}
          onBack={() => setChosen(null)}
        />
      )}
      {chosen === null && <PastImports kind={kind} />}
    </Page>
  )
}

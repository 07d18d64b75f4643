import { Alert, Button, FileButton, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconFileSpreadsheet } from '@tabler/icons-react'
import { type DragEvent, type ReactNode, useState } from 'react'
import { CodeBlock } from '../../ui/copy.tsx'
import { type ImportKind, KINDS } from './kinds.ts'
import './imports.css'

interface FileChoiceProps {
  kind: ImportKind
  /** Why the chosen file cannot be used. */
  fault: string | null
  onChoose(file: File): void
  /** The options that may mend the fault. */
  children?: ReactNode
}

/** Chooses a file, with a button or by dropping it. */
export function FileChoice({ kind, fault, onChoose, children }: FileChoiceProps) {
  const [isOver, setOver] = useState(false)
  const choose = (file: File | null | undefined) => {
    if (file !== null && file !== undefined) onChoose(file)
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    choose(event.dataTransfer.files[0])
  }
  const over = (event: DragEvent) => {
    event.preventDefault()
    setOver(true)
  }
  return (
    <Stack>
      {fault !== null && (
        <Alert color="red" role="alert" icon={<IconAlertTriangle />}>
          {fault}
        </Alert>
      )}
      {children}
      <section
        className="drop-place"
        aria-label="Drop area for a file"
        data-over={isOver || undefined}
        onDragOver={over}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <IconFileSpreadsheet aria-hidden />
        <FileButton onChange={choose} accept=".csv,.tsv,.txt,text/csv,text/plain">
          {(props) => <Button {...props}>Choose a CSV file</Button>}
        </FileButton>
        <Text size="sm" c="dimmed">
          or drop it here. Up to 512 MB, separated by commas, semicolons, tabs or pipes.
        </Text>
      </section>
      <div>
        <Text size="sm" mb="xs">
          The first line names the columns, in any order. You map them to fields in the next step. For
          example:
        </Text>
        <CodeBlock text={KINDS[kind].example} label="Copy example" />
      </div>
    </Stack>
  )
}

import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import type { ImportError, ImportWhole } from '../../api/records.ts'
import { useList, useTeam } from '../../api/team.ts'
import { notifyError } from '../../ui/page/notifications.tsx'
import { Section } from '../../ui/page/section.tsx'
import type { Column } from '../../ui/tables/column.ts'
import { DataTable } from '../../ui/tables/data-table.tsx'
import type { ImportKind } from './kinds.ts'
import { saveErrors } from './save-errors.ts'
import { texts } from './texts.ts'

const COLUMNS: readonly Column<ImportError>[] = [
  { header: texts.errors.line, render: ({ line }) => line.toLocaleString(), width: 90 },
  { header: texts.errors.error, render: ({ message }) => <span className="foreign">{message}</span> },
]
/** The API stores at most this many errors per import. */
const STORED_MAX = 1_000

/** The rows that were left out, with the reasons. */
export function ImportErrors({ of, kind }: { of: ImportWhole; kind: ImportKind }) {
  const team = useTeam()
  const path = `/${kind}/imports/${of.id}/errors`
  const list = useList<ImportError>(path)
  const { refetch } = list
  const read = useRef(of.rows_failed)
  // While the import runs, the number of errors grows.
  useEffect(() => {
    if (read.current === of.rows_failed) return
    read.current = of.rows_failed
    refetch()
  }, [of.rows_failed, refetch])
  const [isSaving, setSaving] = useState(false)
  const save = () => {
    setSaving(true)
    void saveErrors(path, team.id)
      .catch(notifyError)
      .finally(() => setSaving(false))
  }
  const isCut = of.rows_failed > STORED_MAX
  return (
    <Section
      title={texts.errors.skippedRows}
      description={
        isCut
          ? texts.errors.firstCorrectThemFile(STORED_MAX.toLocaleString(), of.rows_failed.toLocaleString())
          : texts.errors.correctThemFileImport
      }
      isFlush
      actions={
        <Button variant="default" leftSection={<IconDownload />} onClick={save} loading={isSaving}>
          {texts.errors.download}
        </Button>
      }
    >
      <DataTable
        label={texts.errors.skippedRows}
        columns={COLUMNS}
        list={list}
        keyOf={({ id }) => id}
        empty={null}
      />
    </Section>
  )
}

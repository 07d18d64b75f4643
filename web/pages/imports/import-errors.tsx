import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import type { ImportError, ImportWhole } from '../../api/records.ts'
import { useList, useTeam } from '../../api/team.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { tellError } from '../../ui/notices.tsx'
import { Section } from '../../ui/section.tsx'
import type { ImportKind } from './kinds.ts'
import { saveErrors } from './save-errors.ts'

const COLUMNS: readonly Column<ImportError>[] = [
  { header: 'Line', render: ({ line }) => line.toLocaleString(), width: 90 },
  { header: 'What is wrong', render: ({ message }) => <span className="foreign">{message}</span> },
]
/** The API keeps no more of one import. */
const KEPT_MAX = 1_000

/** Rows that were left out, and why. */
export function ImportErrors({ of, kind }: { of: ImportWhole; kind: ImportKind }) {
  const team = useTeam()
  const path = `/${kind}/imports/${of.id}/errors`
  const list = useList<ImportError>(path)
  const { refetch } = list
  const read = useRef(of.rows_failed)
  // While the import runs there come to be more of them.
  useEffect(() => {
    if (read.current === of.rows_failed) return
    read.current = of.rows_failed
    refetch()
  }, [of.rows_failed, refetch])
  const [isSaving, setSaving] = useState(false)
  const save = () => {
    setSaving(true)
    void saveErrors(path, team.id)
      .catch(tellError)
      .finally(() => setSaving(false))
  }
  const isCut = of.rows_failed > KEPT_MAX
  return (
    <Section
      title="Rows that were left out"
      description={
        isCut
          ? `The first ${KEPT_MAX.toLocaleString()} of ${of.rows_failed.toLocaleString()}. Mend them in the file and import it again: the others are only updated.`
          : 'Mend them in the file and import it again: the others are only updated.'
      }
      isFlush
      actions={
        <Button variant="default" leftSection={<IconDownload size={16} />} onClick={save} loading={isSaving}>
          Download
        </Button>
      }
    >
      <DataTable
        label="Rows that were left out"
        columns={COLUMNS}
        list={list}
        keyOf={({ id }) => id}
        empty={null}
      />
    </Section>
  )
}

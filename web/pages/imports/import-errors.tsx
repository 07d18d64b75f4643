import { Button, Skeleton } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import type { Import, ImportError } from '../../api/records.ts'
import { useTeam } from '../../api/team.ts'
import { useAll } from '../../api/whole-lists.ts'
import { notifyError } from '../../ui/notifications.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { Section } from '../../ui/page/section.tsx'
import { type ErrorGroup, groupErrors } from './error-groups.ts'
import type { ImportKind } from './kinds.ts'
import { saveErrors } from './save-errors.ts'

/** The API stores at most this many errors per import. */
const STORED_MAX = 1_000

/** The rows that were left out, grouped by reason. */
export function ImportErrors({ of, kind }: { of: Import; kind: ImportKind }) {
  const team = useTeam()
  const path = `/${kind}/imports/${of.id}/errors`
  const { data, error, refetch } = useAll<ImportError>(path)
  const read = useRef(of.rows_failed)
  // While the import runs, the number of errors grows.
  useEffect(() => {
    if (read.current === of.rows_failed) return
    read.current = of.rows_failed
    void refetch()
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
      title="Skipped rows"
      description={
        isCut
          ? `The first ${STORED_MAX.toLocaleString()} of ${of.rows_failed.toLocaleString()}. Correct them in the file and import it again. Contacts that were imported are updated, not duplicated.`
          : 'Correct them in the file and import it again. Contacts that were imported are updated, not duplicated.'
      }
      isFlush
      actions={
        <Button variant="default" leftSection={<IconDownload />} onClick={save} loading={isSaving}>
          Download
        </Button>
      }
    >
      <ErrorNote error={error} onRetry={() => void refetch()} />
      {data === undefined && error === null && <Skeleton height={80} />}
      {data !== undefined && <Groups groups={groupErrors(data)} />}
    </Section>
  )
}

function Groups({ groups }: { groups: readonly ErrorGroup[] }) {
  return (
    <table className="rows" aria-label="Skipped rows">
      <thead>
        <tr>
          <th scope="col">Error</th>
          <th scope="col">Cells</th>
          <th scope="col" style={{ width: 90, textAlign: 'right' }}>
            Rows
          </th>
          <th scope="col" data-wide style={{ width: 170 }}>
            Lines
          </th>
        </tr>
      </thead>
      <tbody>
        {groups.map(({ message, values, count, lines }) => (
          <tr key={message}>
            <td className="foreign">{message}</td>
            <td className="foreign">
              {showSome(
                values.map((value) => `“${value}”`),
                values.length === 3,
              )}
            </td>
            <td style={{ textAlign: 'right' }}>{count.toLocaleString()}</td>
            <td data-wide>
              {showSome(
                lines.map((line) => line.toLocaleString()),
                count > lines.length,
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const showSome = (parts: readonly string[], hasMore: boolean) =>
  parts.length === 0 ? '–' : `${parts.join(', ')}${hasMore ? ', …' : ''}`

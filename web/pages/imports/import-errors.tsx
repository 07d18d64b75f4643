import { Button, Skeleton } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import type { Import, ImportError } from '../../api/records.ts'
import { requestJson } from '../../api/request.ts'
import { type ListOf, useTeam } from '../../api/team.ts'
import { useAll } from '../../api/whole-lists.ts'
import { notifyError } from '../../ui/notifications.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { Section } from '../../ui/page/section.tsx'
import { csvLine } from '../../ui/tables/csv.ts'
import { type ErrorGroup, groupErrors } from './error-groups.ts'
import type { ImportKind } from './kinds.ts'

/** The API stores at most this many errors per import. */
const STORED_MAX = 1_000

/** The rows that were left out, grouped by reason. */
export function ImportErrors({ of, kind }: { of: Import; kind: ImportKind }) {
  const team = useTeam()
  const path = `/${kind}/imports/${of.id}/errors`
  const { data, error, refetch } = useAll<ImportError>(path)
  const failedCount = useRef(of.rows_failed)
  // While the import runs, the number of errors grows.
  useEffect(() => {
    if (failedCount.current === of.rows_failed) return
    failedCount.current = of.rows_failed
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

const PAGE_SIZE = 100
/** The API stores at most a thousand errors per import. */
const PAGES_MAX = 10

/** Saves all errors of an import as a CSV file. Throws ApiError. */
async function saveErrors(path: string, teamId: string): Promise<void> {
  const errors = await readAll(path, teamId)
  const rows = [
    ['line', 'message', 'value'],
    ...errors.map(({ line, message, value }) => [line, message, value ?? '']),
  ]
  const link = document.createElement('a')
  const file = new Blob(rows.map(csvLine), { type: 'text/csv' })
  link.href = URL.createObjectURL(file)
  link.download = 'import-errors.csv'
  link.click()
  URL.revokeObjectURL(link.href)
}

async function readAll(path: string, teamId: string): Promise<ImportError[]> {
  const errors: ImportError[] = []
  for (let page = 0; page < PAGES_MAX; page++) {
    const query = { limit: PAGE_SIZE, after: errors.at(-1)?.id }
    const { data, has_more } = await requestJson<ListOf<ImportError>>(path, { teamId, query })
    errors.push(...data)
    if (!has_more) break
  }
  return errors
}

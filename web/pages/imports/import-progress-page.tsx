import { Alert, Button, Progress, SimpleGrid, Skeleton, Text } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import type { ImportWhole } from '../../api/records.ts'
import { useGet, useTeam } from '../../api/team.ts'
import { showBytes } from '../../ui/bytes.ts'
import { Figure } from '../../ui/figure.tsx'
import { Link } from '../../ui/link.tsx'
import { Moment } from '../../ui/moment.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { Page } from '../../ui/page/page.tsx'
import { Section } from '../../ui/page/section.tsx'
import { ImportErrors } from './import-errors.tsx'
import { ImportStatus, isAllSkipped } from './import-status.tsx'
import { type ImportKind, KINDS } from './kinds.ts'

const POLL_MS = 1_000

const isOver = ({ status }: ImportWhole) => status === 'completed' || status === 'failed'

/** One import: its progress, and the errors by row. */
export function ImportProgressPage() {
  const team = useTeam()
  const { kind, importId } = useParams({ from: '/inside/$teamId/imports/$kind/$importId' })
  const { data, error, refetch } = useGet<ImportWhole>(`/${kind}/imports/${importId}`, {
    refetchIntervalMs: POLL_MS,
    refetchWhile: (of) => !isOver(of),
  })
  const { many, title } = KINDS[kind as ImportKind]
  return (
    <Page
      title={`Import of ${many}`}
      trail={[
        { label: many.charAt(0).toUpperCase() + many.slice(1), to: `/${team.id}/${kind}` },
        { label: title, to: `/${team.id}/imports/${kind}` },
      ]}
      badge={data !== undefined && <ImportStatus of={data} />}
      {...(data === undefined ? {} : { description: <Description of={data} /> })}
      actions={
        data !== undefined &&
        isOver(data) && (
          <Button component={Link} to={`/${team.id}/${kind}`} variant="default">
            View {many}
          </Button>
        )
      }
    >
      <ErrorNote error={error} onRetry={() => void refetch()} />
      {data === undefined && error === null && <Skeleton height={220} radius="md" aria-busy />}
      {data !== undefined && <Whole of={data} kind={kind as ImportKind} />}
    </Page>
  )
}

function Description({ of: { bytes, created_at } }: { of: ImportWhole }) {
  return (
    <>
      {showBytes(bytes)}, started <Moment at={created_at} />
    </>
  )
}

function Whole({ of, kind }: { of: ImportWhole; kind: ImportKind }) {
  return (
    <>
      {of.status === 'failed' && (
        <Alert color="red" title="The import failed" mb="md" role="alert">
          <span className="foreign">{of.reason}</span> Rows imported before the failure are kept.
        </Alert>
      )}
      <Section>
        <Progress
          value={of.progress}
          {...(isAllSkipped(of) ? { color: 'red' } : {})}
          size="lg"
          aria-label="Progress"
          mb="xs"
        />
        <Text size="sm" c="dimmed" role="status">
          {wordsOf(of)}
        </Text>
      </Section>
      <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="md" mb="md">
        <Figure label="Rows read" value={of.rows_read.toLocaleString()} />
        <Figure label="New" value={of.rows_created.toLocaleString()} />
        {kind === 'contacts' ? (
          <Figure label="Updated" value={of.rows_updated.toLocaleString()} />
        ) : (
          <Figure label="Already suppressed" value={of.rows_unchanged.toLocaleString()} />
        )}
        <Figure label="Skipped" value={of.rows_failed.toLocaleString()} />
      </SimpleGrid>
      {of.rows_failed > 0 && <ImportErrors of={of} kind={kind} />}
    </>
  )
}

function wordsOf({
  status,
  progress,
  dry_run,
  rows_created,
  rows_updated,
  rows_failed,
}: ImportWhole): string {
  switch (status) {
    case 'receiving':
      return 'Receiving the file.'
    case 'queued':
      return 'Waiting for earlier imports. You can close this page.'
    case 'running':
      return `${progress}% read. The import continues in the background. You can close this page.`
    case 'completed':
      if (dry_run) return 'All rows were checked, and none was imported.'
      return `Import finished: ${rows_created.toLocaleString()} added, ${rows_updated.toLocaleString()} updated, ${rows_failed.toLocaleString()} skipped.`
    case 'failed':
      return `The import stopped at ${progress}%.`
    default:
      return ''
  }
}

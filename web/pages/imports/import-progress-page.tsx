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
import { texts } from './texts.ts'

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
      title={texts.progressPage.importOf(many)}
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
            {texts.progressPage.viewMany(many)}
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
      {texts.progressPage.started(showBytes(bytes))} <Moment at={created_at} />
    </>
  )
}

function Whole({ of, kind }: { of: ImportWhole; kind: ImportKind }) {
  return (
    <>
      {of.status === 'failed' && (
        <Alert color="red" title={texts.progressPage.theImportFailed} mb="md" role="alert">
          <span className="foreign">{of.reason}</span> {texts.progressPage.rowsImportedBeforeFailure}
        </Alert>
      )}
      <Section>
        <Progress
          value={of.progress}
          {...(isAllSkipped(of) ? { color: 'red' } : {})}
          size="lg"
          aria-label={texts.progressPage.progress}
          mb="xs"
        />
        <Text size="sm" c="dimmed" role="status">
          {wordsOf(of)}
        </Text>
      </Section>
      <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="md" mb="md">
        <Figure label={texts.progressPage.rowsRead} value={of.rows_read.toLocaleString()} />
        <Figure label={texts.progressPage.new} value={of.rows_created.toLocaleString()} />
        {kind === 'contacts' ? (
          <Figure label={texts.progressPage.updated} value={of.rows_updated.toLocaleString()} />
        ) : (
          <Figure label={texts.progressPage.alreadySuppressed} value={of.rows_unchanged.toLocaleString()} />
        )}
        <Figure label={texts.progressPage.skipped} value={of.rows_failed.toLocaleString()} />
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
      return texts.progressPage.receivingTheFile
    case 'queued':
      return texts.progressPage.waitingEarlierImportsClose
    case 'running':
      return texts.progressPage.readImportContinues(progress)
    case 'completed':
      if (dry_run) return texts.progressPage.checked
      return texts.progressPage.finished(
        rows_created.toLocaleString(),
        rows_updated.toLocaleString(),
        rows_failed.toLocaleString(),
      )
    case 'failed':
      return texts.progressPage.theImportStoppedAt(progress)
    default:
      return ''
  }
}

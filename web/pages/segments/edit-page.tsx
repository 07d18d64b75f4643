import { Skeleton } from '@mantine/core'
import { useNavigate, useParams } from '@tanstack/react-router'
import type { Segment } from '../../api/records.ts'
import { useGet, useTeam } from '../../api/team.ts'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { Page } from '../../ui/page/page.tsx'
import { draftOf, EMPTY } from './draft.ts'
import { SegmentEditor } from './segment-editor.tsx'
import { useNames } from './use-names.ts'

const DESCRIPTION = 'A segment contains all contacts that match its conditions, always up to date.'

/** Creates a segment. */
export function NewSegmentPage() {
  const team = useTeam()
  const navigate = useNavigate()
  const names = useNames()
  const to = `/${team.id}/segments`
  return (
    <Page title="Create segment" description={DESCRIPTION} trail={[{ label: 'Segments', to }]}>
      {names === undefined ? (
        <Skeleton height={320} radius="md" aria-busy />
      ) : (
        <SegmentEditor
          initial={EMPTY}
          id={null}
          names={names}
          onCancel={() => void navigate({ to })}
          onDone={({ id }) => void navigate({ to: `${to}/${id}`, ignoreBlocker: true })}
        />
      )}
    </Page>
  )
}

/** Edits the conditions of a segment. */
export function EditSegmentPage() {
  const team = useTeam()
  const navigate = useNavigate()
  const { segmentId } = useParams({ from: '/inside/$teamId/segments/$segmentId/edit' })
  const names = useNames()
  const { data, error, refetch } = useGet<Segment>(`/segments/${segmentId}`)
  const to = `/${team.id}/segments/${segmentId}`
  const trail = [
    { label: 'Segments', to: `/${team.id}/segments` },
    { label: data?.name ?? 'Segment', to },
  ]
  return (
    <Page title="Edit segment" description={DESCRIPTION} trail={trail}>
      <ErrorNote error={error} onRetry={() => void refetch()} />
      {(names === undefined || data === undefined) && error === null && (
        <Skeleton height={320} radius="md" aria-busy />
      )}
      {names !== undefined && data !== undefined && (
        <SegmentEditor
          initial={draftOf(data)}
          id={data.id}
          names={names}
          onCancel={() => void navigate({ to })}
          onDone={() => void navigate({ to, ignoreBlocker: true })}
        />
      )}
    </Page>
  )
}

import { Anchor, Button, Stack, Text } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import type { Automation, AutomationMove, AutomationVersion } from '../../api/records.ts'
import { useChange, useGet } from '../../api/team.ts'
import { confirm } from '../../ui/forms/confirm.tsx'
import { Link } from '../../ui/link.tsx'
import { FiguresTable } from '../../ui/metrics/figures-table.tsx'
import { Moment } from '../../ui/moment.tsx'
import { notifyDone, notifyError } from '../../ui/notifications.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { Section } from '../../ui/page/section.tsx'
import { plural } from '../../ui/plural.ts'
import { changesOf } from './graph/version-changes.ts'

interface AutomationVersionsProps {
  automation: Automation
  isFixed: boolean
}

/** The versions, each with its changes and the runs under way on it, which can be moved to the current one. */
export function AutomationVersions({ automation, isFixed }: AutomationVersionsProps) {
  const { id, version: current } = automation
  const { data, error, refetch } = useGet<{ data: AutomationVersion[] }>(`/automations/${id}/versions`)
  const versions = data?.data ?? []
  if (error !== null) return <ErrorNote error={error} onRetry={() => void refetch()} />
  if (data !== undefined && versions.length === 0)
    return (
      <EmptyState icon={IconHistory} title="No versions yet">
        The first one is made when the automation is activated.
      </EmptyState>
    )
  return (
    <Section title="Versions" description="A run ends on the version on which it began." isFlush>
      <FiguresTable label="Versions" headers={['Version', 'Changes', 'Runs under way', 'Created', 'Actions']}>
        {versions.map((version, index) => (
          <tr key={version.version}>
            <th scope="row">
              <Anchor
                component={Link}
                size="sm"
                to="."
                search={{ version: String(version.version) } as never}
              >
                Version {version.version}
              </Anchor>
              {version.version === current && ' (current)'}
            </th>
            <td>
              <Changes version={version} before={versions[index + 1]} />
            </td>
            <td>{version.waiting.toLocaleString()}</td>
            <td>
              <Moment at={version.created_at} />
            </td>
            <td>
              {!isFixed && version.version !== current && version.waiting > 0 && (
                <MoveRuns automationId={id} from={version.version} to={current} />
              )}
            </td>
          </tr>
        ))}
      </FiguresTable>
    </Section>
  )
}

function Changes({ version, before }: { version: AutomationVersion; before: AutomationVersion | undefined }) {
  const lines = before === undefined ? ['First version'] : changesOf(before, version)
  return (
    <Stack gap="hair" ml="auto" miw={200} maw={420} style={{ whiteSpace: 'normal' }}>
      {lines.map((line) => (
        <Text key={line} size="xs" className="foreign">
          {line}
        </Text>
      ))}
    </Stack>
  )
}

/** Moves the runs of a version to the current one, after their number is shown. */
function MoveRuns({ automationId, from, to }: { automationId: string; from: number; to: number }) {
  const path = `/automations/${automationId}/move-runs`
  const change = useChange<AutomationMove>({ onError: notifyError })
  const move = () =>
    change.mutate(
      { path, method: 'POST', body: { from_version: from } },
      {
        onSuccess: ({ moved }) =>
          notifyDone(plural(moved, '1 run moved.', `${moved.toLocaleString()} runs moved.`)),
      },
    )
  const ask = () =>
    change.mutate(
      { path, method: 'POST', body: { from_version: from, dry_run: true } },
      {
        onSuccess: ({ moved, left }) =>
          confirm({
            title: `Move runs to version ${to}?`,
            action: 'Move runs',
            isDangerous: false,
            onConfirm: move,
            children: `${plural(moved, '1 run goes', `${moved.toLocaleString()} runs go`)} on at the step of the same key. ${left.toLocaleString()} stay: their step is gone, or waits for a response that the new one does not.`,
          }),
      },
    )
  return (
    <Button variant="default" size="compact-sm" onClick={ask} loading={change.isPending}>
      Move runs
    </Button>
  )
}

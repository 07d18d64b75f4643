import './automations.css'
import { Anchor, Button, Stack } from '@mantine/core'
import { IconRefresh, IconX } from '@tabler/icons-react'
import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Automation, AutomationRun, AutomationRunTrail } from '../../api/records.ts'
import { useChange, useGet, useMay, useTeam } from '../../api/team.ts'
import { Fact } from '../../ui/facts.tsx'
import { Link } from '../../ui/link.tsx'
import { Moment } from '../../ui/moment.tsx'
import { notifyDone, notifyError } from '../../ui/notifications.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { Page } from '../../ui/page/page.tsx'
import { PendingPage } from '../../ui/page/pending-page.tsx'
import { Section } from '../../ui/page/section.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { useIsPhone } from '../../ui/use-is-phone.ts'
import { LazyGraphCanvas } from './canvas/lazy-canvas.tsx'
import { pathOf } from './graph/graph-path.ts'
import { showJson } from './graph/json-text.ts'
import { useRecordNames } from './graph/use-record-names.ts'
import { awaitedWord, stepWord, triggerWord, WEBHOOK_AWAITED } from './graph/words.ts'
import { type TrailEntry, TrailList } from './trail-list.tsx'
import { useVersionGraph } from './use-version-graph.ts'

const REFRESH_MS = 2000

/** One run: each step that it took, and where it is. */
export function RunPage() {
  const team = useTeam()
  const { automationId, runId } = useParams({ from: '/inside/$teamId/automations/$automationId/runs/$runId' })
  const path = `/automations/${automationId}/runs/${runId}`
  const { data: automation } = useGet<Automation>(`/automations/${automationId}`)
  const { data, error, refetch } = useGet<AutomationRunTrail>(path, {
    refetchIntervalMs: REFRESH_MS,
    refetchWhile: ({ status }) => status === 'running',
  })
  const mayChange = useMay().change('Automations')
  // The list of steps says as much, and the graph is too wide.
  const isPhone = useIsPhone()
  const home = `/${team.id}/automations`
  const trail = [
    { label: 'Automations', to: home },
    { label: automation?.name ?? 'Automation', to: `${home}/${automationId}` },
  ]
  if (data === undefined)
    return <PendingPage title="Run" trail={trail} error={error} onRetry={() => void refetch()} />
  return (
    <Page
      title={data.email ?? 'Deleted contact'}
      trail={trail}
      isNarrow
      badge={<StatusBadge status={data.status} />}
      actions={mayChange && <RunActions run={data} path={path} />}
    >
      <Section title="Steps">
        <TrailList label="Steps of the run" entries={entriesOf(data, `/${team.id}/emails`)} />
      </Section>
      {automation !== undefined && !isPhone && <RunPath automation={automation} run={data} />}
      <RunFacts run={data} contactPath={`/${team.id}/contacts/${data.contact_id}`} />
    </Page>
  )
}

/** The steps that the run took, in the graph of its version. */
function RunPath({ automation, run }: { automation: Automation; run: AutomationRunTrail }) {
  const { graph, error, refetch } = useVersionGraph(automation, run.version)
  const names = useRecordNames()
  if (error !== null) return <ErrorNote error={error} onRetry={() => void refetch()} />
  if (graph === undefined || graph === null) return null
  return (
    <Section title="Graph" description="The steps that the run took, up to where it is or ended.">
      <LazyGraphCanvas
        label="Path through the graph"
        graph={graph}
        names={names}
        path={pathOf(graph, run.steps)}
      />
    </Section>
  )
}

function entriesOf(run: AutomationRunTrail, emails: string): TrailEntry[] {
  const last = run.steps.length - 1
  return run.steps.map((step, index) => {
    const texts: ReactNode[] = outputTexts(step.output)
    if (step.email_id !== null)
      texts.push(
        <Anchor key="email" component={Link} to={`${emails}/${step.email_id}`} size="sm">
          Show email
        </Anchor>,
      )
    if (index === last && run.reason !== null) texts.push(run.reason)
    if (step.completed_at === null) texts.push(...waitTexts(run))
    return {
      id: `${index} ${step.key}`,
      title: stepWord(step.type),
      key: step.key,
      at: step.started_at,
      status: step.status,
      texts,
    }
  })
}

/** Returns what a step did: its words, or its fields. */
function outputTexts(output: Readonly<Record<string, unknown>> | null): ReactNode[] {
  return Object.entries(output ?? {}).map(([name, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    return `${name.replaceAll('_', ' ')}: ${text}`
  })
}

function waitTexts({ awaits, due_at: dueAt, is_held: isHeld }: AutomationRunTrail): ReactNode[] {
  if (isHeld) return ['It is due, and waits because the automation is paused.']
  const until = dueAt !== null && (
    <>
      until <Moment at={dueAt} />
    </>
  )
  if (awaits !== null)
    return [
      <span key="awaits">
        Waits for {awaitedWord(awaits)} {awaits !== WEBHOOK_AWAITED && until}
      </span>,
    ]
  return until === false ? [] : [<span key="due">Waits {until}</span>]
}

function RunFacts({ run, contactPath }: { run: AutomationRunTrail; contactPath: string }) {
  return (
    <Section title="Details">
      <Stack component="dl" gap="sm" m={0}>
        <Fact label="Contact">
          {run.email === null ? (
            'Deleted'
          ) : (
            <Anchor component={Link} to={contactPath} size="sm">
              {run.email}
            </Anchor>
          )}
        </Fact>
        <Fact label="Trigger">{triggerWord(run.trigger.type)}</Fact>
        <Fact label="Version">{run.version}</Fact>
        <Fact label="Started">
          <Moment at={run.started_at} hasSeconds />
        </Fact>
        {run.completed_at !== null && (
          <Fact label="Ended">
            <Moment at={run.completed_at} hasSeconds />
          </Fact>
        )}
        {Object.keys(run.payload).length > 0 && (
          <Fact label="Payload">
            <pre className="run-payload code foreign">{showJson(run.payload)}</pre>
          </Fact>
        )}
      </Stack>
    </Section>
  )
}

/** Ends a run that is under way, or takes the last step of a failed one again. */
function RunActions({ run: { status }, path }: { run: AutomationRunTrail; path: string }) {
  const change = useChange<AutomationRun>({ onError: notifyError })
  const act = (verb: 'cancel' | 'retry', done: string) =>
    change.mutate({ path: `${path}/${verb}`, method: 'POST' }, { onSuccess: () => notifyDone(done) })
  if (status === 'running')
    return (
      <Button variant="default" leftSection={<IconX />} onClick={() => act('cancel', 'Run canceled.')}>
        Cancel run
      </Button>
    )
  if (status === 'failed')
    return (
      <Button
        variant="default"
        leftSection={<IconRefresh />}
        onClick={() => act('retry', 'The last step is taken again.')}
      >
        Retry run
      </Button>
    )
  return null
}

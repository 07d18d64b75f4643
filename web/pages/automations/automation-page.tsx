import { Alert, Tabs } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { type RefObject, useRef, useState } from 'react'
import type { Automation } from '../../api/records.ts'
import { useGet, useMay, useTeam } from '../../api/team.ts'
import { Page } from '../../ui/page/page.tsx'
import { PendingPage } from '../../ui/page/pending-page.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { AutomationActions } from './automation-actions.tsx'
import { AutomationRuns } from './automation-runs.tsx'
import { AutomationSteps } from './automation-steps.tsx'
import { AutomationVersions } from './automation-versions.tsx'
import { DryRun } from './dry-run.tsx'
import { AutomationEditor, type SaveChanges } from './editor/automation-editor.tsx'
import { ProblemList } from './editor/problem-list.tsx'
import type { GraphProblem } from './graph/graph-problems.ts'
import { triggerWord } from './graph/words.ts'

const TABS = [
  ['steps', 'Steps'],
  ['edit', 'Edit'],
  ['runs', 'Runs'],
  ['test', 'Test'],
  ['versions', 'Versions'],
] as const

const PAUSED_BY_US = {
  upgraded:
    'An upgrade paused it, because earlier versions did not run automations. Check it, then resume it.',
  restored: 'It was paused because the data was restored from a backup. Check it, then resume it.',
}

/** One automation: its steps with their figures, its runs, and its editor. */
export function AutomationPage() {
  const team = useTeam()
  const { automationId } = useParams({ from: '/inside/$teamId/automations/$automationId' })
  const { data, error, refetch } = useGet<Automation>(`/automations/${automationId}`)
  const mayChange = useMay().change('Automations')
  const [found, setFound] = useState<{ id: string; problem: GraphProblem } | null>(null)
  const saveChanges = useRef<SaveChanges>(async () => true)
  const trail = [{ label: 'Automations', to: `/${team.id}/automations` }]
  if (data === undefined)
    return <PendingPage title="Automation" trail={trail} error={error} onRetry={() => void refetch()} />
  const { id, status, trigger, version, steps, connections, paused_reason: pausedReason } = data
  // This page stays when the address leads to another automation, such as a copy.
  const problem = found?.id === id ? found.problem : null
  const showProblem = (error: Error | null) =>
    setFound(error && { id, problem: { error, steps, connections } })
  return (
    <Page
      title={data.name}
      trail={trail}
      badge={<StatusBadge status={status} />}
      description={`${triggerWord(trigger?.type)}${version > 0 ? ` · version ${version}` : ''}`}
      actions={
        mayChange && (
          <AutomationActions
            // A late response tells its own automation.
            key={id}
            automation={data}
            onProblem={showProblem}
            saveChanges={saveChanges}
          />
        )
      }
    >
      {pausedReason !== null && (
        <Alert color="yellow" icon={<IconAlertTriangle />} title="Paused by Sendwright" mb="md">
          {PAUSED_BY_US[pausedReason]}
        </Alert>
      )}
      {problem !== null && <ProblemList {...problem} />}
      <Views automation={data} problem={problem} isFixed={!mayChange} saveChanges={saveChanges} />
    </Page>
  )
}

interface ViewsProps {
  automation: Automation
  problem: GraphProblem | null
  isFixed: boolean
  saveChanges: RefObject<SaveChanges>
}

/** The parts of the page. The address names the open one, so that a link opens it again. */
function Views({ automation, problem, isFixed, saveChanges }: ViewsProps) {
  const navigate = useNavigate()
  const { view } = useSearch({ strict: false }) as { view?: string }
  const open = TABS.find(([value]) => value === view)?.[0] ?? 'steps'
  const choose = (value: string | null) => void navigate({ to: '.', search: { view: value } as never })
  return (
    <Tabs value={open} onChange={choose} keepMounted={false}>
      <Tabs.List mb="md">
        {TABS.filter(([value]) => !isFixed || (value !== 'edit' && value !== 'test')).map(
          ([value, label]) => (
            <Tabs.Tab key={value} value={value}>
              {label}
            </Tabs.Tab>
          ),
        )}
      </Tabs.List>
      <Tabs.Panel value="steps">
        <AutomationSteps automation={automation} />
      </Tabs.Panel>
      <Tabs.Panel value="edit">
        <AutomationEditor
          key={automation.id}
          automation={automation}
          problem={problem}
          saveChanges={saveChanges}
        />
      </Tabs.Panel>
      <Tabs.Panel value="runs">
        <AutomationRuns automation={automation} />
      </Tabs.Panel>
      <Tabs.Panel value="test">
        <DryRun automation={automation} />
      </Tabs.Panel>
      <Tabs.Panel value="versions">
        <AutomationVersions automation={automation} isFixed={isFixed} />
      </Tabs.Panel>
    </Tabs>
  )
}

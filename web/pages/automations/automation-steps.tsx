import { SegmentedControl, Select, Skeleton } from '@mantine/core'
import { IconRoute } from '@tabler/icons-react'
import { useMemo } from 'react'
import type { Automation, AutomationFigures } from '../../api/records.ts'
import { useGet } from '../../api/team.ts'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { Section } from '../../ui/page/section.tsx'
import { useFilters } from '../../ui/tables/filters.ts'
import { useIsPhone } from '../../ui/use-is-phone.ts'
import { LazyGraphCanvas } from './canvas/lazy-canvas.tsx'
import type { EditedGraph } from './graph/edit-graph.ts'
import { figureRowsOf } from './graph/step-figures.ts'
import { useRecordNames } from './graph/use-record-names.ts'
import { StepsTable } from './steps-table.tsx'
import { useVersionGraph } from './use-version-graph.ts'
import { versionChoices } from './version-choices.ts'

const REFRESH_MS = 5000
const NO_FIGURES: AutomationFigures['steps'] = []

/** The steps of a version with their figures, as a graph or as a table. */
export function AutomationSteps({ automation }: { automation: Automation }) {
  const { version: current, steps } = automation
  const { filters, choice, setFilter } = useFilters(['version', 'as'])
  const isPhone = useIsPhone()
  const form = filters.as ?? (isPhone ? 'table' : 'graph')
  const version = Number(filters.version ?? current)
  if (steps.length === 0)
    return (
      <EmptyState icon={IconRoute} title="No steps yet">
        Add a trigger and the steps that follow it, in the tab Edit.
      </EmptyState>
    )
  return (
    <Section
      title="Steps"
      description={noteOf(current, form)}
      actions={
        <>
          {current > 1 && (
            <Select
              aria-label="Version"
              w={190}
              data={versionChoices(current)}
              {...choice('version')}
              value={String(version)}
              clearable={false}
              allowDeselect={false}
            />
          )}
          <SegmentedControl
            aria-label="View"
            data={[
              { value: 'graph', label: 'Graph' },
              { value: 'table', label: 'Table' },
            ]}
            value={form}
            onChange={(next) => setFilter('as', next)}
          />
        </>
      }
      isFlush
    >
      <VersionSteps key={version} automation={automation} version={version} isTable={form === 'table'} />
    </Section>
  )
}

function noteOf(current: number, form: string): string {
  if (current === 0) return 'Figures appear after activation.'
  return form === 'graph' ? 'Choose a step to see its runs.' : 'Figures by step.'
}

interface VersionStepsProps {
  automation: Automation
  version: number
  isTable: boolean
}

function VersionSteps({ automation, version, isTable }: VersionStepsProps) {
  const { id, status } = automation
  const { graph, ...loading } = useVersionGraph(automation, version)
  const names = useRecordNames()
  const { data, error, refetch } = useGet<AutomationFigures>(`/automations/${id}/figures`, {
    query: { version: version > 0 ? version : undefined },
    enabled: version > 0,
    refetchIntervalMs: REFRESH_MS,
    refetchWhile: () => status === 'active',
  })
  const searchOf = (step: string, runStatus?: string) => ({
    view: 'runs',
    step,
    ...(runStatus !== undefined && { status: runStatus }),
    ...(version > 0 && { version: String(version) }),
  })
  if (error !== null) return <ErrorNote error={error} onRetry={() => void refetch()} />
  if (loading.error !== null)
    return <ErrorNote error={loading.error} onRetry={() => void loading.refetch()} />
  if (graph === undefined || (version > 0 && data === undefined)) return <Skeleton height={400} />
  if (graph === null)
    return (
      <EmptyState icon={IconRoute} title="Version not available">
        Only the newest 100 versions are shown.
      </EmptyState>
    )
  const figures = data?.steps ?? NO_FIGURES
  if (isTable) return <StepsTable graph={graph} names={names} figures={figures} searchOf={searchOf} />
  if (version === 0) return <LazyGraphCanvas label="Graph" graph={graph} names={names} />
  return <FiguresGraph graph={graph} names={names} figures={figures} searchOf={searchOf} />
}

interface FiguresGraphProps {
  graph: EditedGraph
  names: ReadonlyMap<string, string>
  figures: AutomationFigures['steps']
  searchOf(key: string): object
}

function FiguresGraph({ graph, names, figures, searchOf }: FiguresGraphProps) {
  const rows = useMemo(() => {
    const types = new Map(graph.steps.map(({ key, type }) => [key, type]))
    return new Map(figures.map(({ key, ...counts }) => [key, figureRowsOf(types.get(key) ?? '', counts)]))
  }, [graph, figures])
  return <LazyGraphCanvas label="Graph" graph={graph} names={names} figures={rows} searchOf={searchOf} />
}

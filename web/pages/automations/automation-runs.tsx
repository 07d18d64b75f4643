import { Button, Group, Select } from '@mantine/core'
import { IconPlayerPlay, IconUsers } from '@tabler/icons-react'
import type { Automation, AutomationRun } from '../../api/records.ts'
import { useList, useMay, useTeam } from '../../api/team.ts'
import { ContactSelect } from '../../ui/forms/contact-select.tsx'
import { useDialog } from '../../ui/forms/dialog.ts'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { Section } from '../../ui/page/section.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { type Column, numberColumn } from '../../ui/tables/column.ts'
import { DataTable } from '../../ui/tables/data-table.tsx'
import { type Filters, useFilters } from '../../ui/tables/filters.ts'
import { momentColumn } from '../../ui/tables/moment-column.tsx'
import { outlineOf } from './graph/outline.ts'
import { awaitedWord, stepWord } from './graph/words.ts'
import { StartRun } from './start-run.tsx'
import { versionChoices } from './version-choices.ts'

const REFRESH_MS = 3000
const STATUSES = [
  { value: 'running', label: 'Running' },
  { value: 'completed', label: 'Completed' },
  { value: 'failed', label: 'Failed' },
  { value: 'cancelled', label: 'Canceled' },
]

const FILTERS = ['status', 'step', 'version', 'contact_id'] as const

const COLUMNS: readonly Column<AutomationRun>[] = [
  {
    header: 'Contact',
    render: ({ email }) => (
      <span className="one-line">
        <bdi>{email ?? 'Deleted contact'}</bdi>
      </span>
    ),
  },
  { header: 'Status', render: ({ status }) => <StatusBadge status={status} />, width: 120 },
  { header: 'Step', render: ({ step }) => <span className="foreign">{step}</span>, width: 130, isWide: true },
  {
    header: 'Reason',
    render: ({ reason, awaits }) => (
      <span className="one-line">
        <bdi>{reason ?? (awaits === null ? '' : `Waits for ${awaitedWord(awaits)}`)}</bdi>
      </span>
    ),
    isWide: true,
  },
  numberColumn('Version', ({ version }) => version),
  momentColumn('Goes on', ({ due_at: at }) => at, { width: 155 }),
  momentColumn('Started', ({ started_at: at }) => at, { width: 155 }),
]

/** The contacts that the automation takes, or took, through its steps. */
export function AutomationRuns({ automation }: { automation: Automation }) {
  const team = useTeam()
  const { id, status, trigger } = automation
  const filters = useFilters(FILTERS)
  const mayStart = useMay().change('Automations') && trigger?.type === 'api' && status === 'active'
  const starting = useDialog('start', mayStart)
  const list = useList<AutomationRun>(`/automations/${id}/runs`, {
    query: filters.filters,
    refetchIntervalMs: REFRESH_MS,
  })
  return (
    <Section isFlush>
      <Group p="sm">
        <RunFilters automation={automation} filters={filters} />
        {mayStart && (
          <Button
            variant="default"
            ml="auto"
            leftSection={<IconPlayerPlay />}
            onClick={() => starting.open()}
          >
            Start run
          </Button>
        )}
      </Group>
      <DataTable
        label="Runs"
        columns={COLUMNS}
        list={list}
        keyOf={(run) => run.id}
        linkOf={(run) => `/${team.id}/automations/${id}/runs/${run.id}`}
        empty={
          <EmptyState icon={IconUsers} title={filters.isFiltered ? 'No matching runs' : 'No runs yet'}>
            {filters.isFiltered
              ? 'Clear a filter to see more.'
              : 'A run appears here for each contact for which the trigger happens while the automation is active.'}
          </EmptyState>
        }
      />
      <StartRun automationId={id} dialog={starting} />
    </Section>
  )
}

interface RunFiltersProps {
  automation: Automation
  filters: Filters<(typeof FILTERS)[number]>
}

function RunFilters({ automation, filters: { filters, draft, choice, setFilter } }: RunFiltersProps) {
  return (
    <>
      <Select aria-label="Status" placeholder="Any status" data={STATUSES} {...choice('status')} w={160} />
      <Select
        aria-label="Step"
        placeholder="Any step"
        data={stepChoices(automation, filters.step)}
        {...choice('step')}
        w={240}
      />
      <Select
        aria-label="Version"
        placeholder="Any version"
        data={versionChoices(automation.version)}
        {...choice('version')}
        w={170}
      />
      <ContactSelect
        label="Contact"
        isLabelHidden
        placeholder="Any contact"
        value={draft.contact_id}
        onChange={(contactId) => setFilter('contact_id', contactId)}
        w={240}
      />
    </>
  )
}

/** @param chosen the step of the address, which only earlier versions may have */
function stepChoices(automation: Automation, chosen: string | undefined) {
  const steps = outlineOf(automation).map(({ key, type }) => ({
    value: key,
    label: `${stepWord(type)} (${key})`,
  }))
  if (chosen === undefined || steps.some(({ value }) => value === chosen)) return steps
  return [...steps, { value: chosen, label: chosen }]
}

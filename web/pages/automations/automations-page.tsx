import { IconBolt } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import type { Automation } from '../../api/records.ts'
import { useList, useMay, useTeam } from '../../api/team.ts'
import { useDialog } from '../../ui/forms/dialog.ts'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { type Column, numberColumn } from '../../ui/tables/column.ts'
import { momentColumn } from '../../ui/tables/moment-column.tsx'
import { AddButton, ResourcePage } from '../../ui/tables/resource-page.tsx'
import { CreateAutomation } from './create-automation.tsx'
import { triggerWord } from './graph/words.ts'

const COLUMNS: readonly Column<Automation>[] = [
  { header: 'Name', render: ({ name }) => <span className="foreign">{name}</span> },
  {
    header: 'Status',
    render: ({ status }) => <StatusBadge status={status} />,
    width: 120,
  },
  {
    header: 'Trigger',
    render: ({ trigger }) => triggerWord(trigger?.type),
    isWide: true,
  },
  numberColumn('Steps', ({ steps }) => steps.filter(({ type }) => type !== 'trigger').length),
  numberColumn('Running', ({ runs }) => showCount(runs?.running)),
  numberColumn('Failed', ({ runs }) => showCount(runs?.failed)),
  momentColumn('Changed', ({ updated_at: at }) => at, { width: 200 }),
]

const showCount = (count = 0) => (count === 0 ? '–' : count.toLocaleString())

/** The team's automations. */
export function AutomationsPage() {
  const team = useTeam()
  const navigate = useNavigate()
  const mayChange = useMay().change('Automations')
  const list = useList<Automation>('/automations')
  const creating = useDialog('new')
  return (
    <ResourcePage
      title="Automations"
      description="Steps that run for a contact after a trigger."
      add={mayChange && <AddButton dialog={creating}>Create automation</AddButton>}
      columns={COLUMNS}
      list={list}
      linkOf={({ id }) => `/${team.id}/automations/${id}`}
      empty={{
        icon: IconBolt,
        title: 'No automations yet',
        children:
          'For example, send a welcome email to new newsletter subscribers, and tips three days later.',
      }}
    >
      {mayChange && (
        <CreateAutomation
          dialog={creating}
          onDone={({ id }) =>
            void navigate({ to: `/${team.id}/automations/${id}`, search: { view: 'edit' } as never })
          }
        />
      )}
    </ResourcePage>
  )
}

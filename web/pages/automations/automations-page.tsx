import { IconBolt } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import type { TriggerType } from '../../../src/automations/automation-steps.ts'
import type { Automation } from '../../api/records.ts'
import { useList, useMay, useTeam } from '../../api/team.ts'
import { useDialog } from '../../ui/forms/dialog.ts'
import { NameForm } from '../../ui/forms/name-form.tsx'
import { Moment } from '../../ui/moment.tsx'
import { NotYet } from '../../ui/page/not-yet.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import type { Column } from '../../ui/tables/column.ts'
import { AddButton, ResourcePage } from '../../ui/tables/resource-page.tsx'
import { NOT_YET, TRIGGER_WORDS } from './words.ts'

const COLUMNS: readonly Column<Automation>[] = [
  { header: 'Name', render: ({ name }) => <span className="foreign">{name}</span> },
  {
    header: 'Status',
    render: ({ status }) => <StatusBadge status={status} />,
    width: 120,
  },
  {
    header: 'Trigger',
    render: ({ trigger }) => (trigger === null ? '–' : TRIGGER_WORDS[trigger.type as TriggerType]),
    isWide: true,
  },
  {
    header: 'Steps',
    render: ({ steps }) => steps.length,
    align: 'right',
    width: 90,
    isWide: true,
  },
  {
    header: 'Changed',
    render: ({ updated_at }) => <Moment at={updated_at} />,
    width: 200,
    isWide: true,
  },
]

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
      note={<NotYet title="Automations do not run yet">{NOT_YET}</NotYet>}
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
        <NameForm<Automation>
          isOpen={creating.isOpen}
          onClose={creating.close}
          title="Create automation"
          record={null}
          path="/automations"
          onDone={({ id }) => void navigate({ to: `/${team.id}/automations/${id}` })}
        />
      )}
    </ResourcePage>
  )
}

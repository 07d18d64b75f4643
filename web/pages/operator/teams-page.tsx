import { Group, Menu, Modal, Select, Text, TextInput } from '@mantine/core'
import {
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconSearch,
  IconUserPlus,
  IconUsersGroup,
} from '@tabler/icons-react'
import type { OperatorTeam } from '../../api/records.ts'
import { useChange, useList } from '../../api/team.ts'
import { DotsMenu } from '../../ui/dots-menu.tsx'
import { useDialog } from '../../ui/forms/dialog.ts'
import { Moment } from '../../ui/moment.tsx'
import { notifyDone, notifyError } from '../../ui/notifications.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { actionsColumn, type Column, numberColumn } from '../../ui/tables/column.ts'
import { type Filters, useFilters } from '../../ui/tables/filters.ts'
import { AddButton, ResourcePage } from '../../ui/tables/resource-page.tsx'
import { InviteForm } from './invite-form.tsx'
import { PauseTeamForm, TeamForm } from './team-forms.tsx'

const COLUMNS: readonly Column<OperatorTeam>[] = [
  {
    header: 'Team',
    render: ({ name, id, plan }) => (
      <>
        <Text size="sm" fw={500} className="foreign">
          {name}
        </Text>
        <Text size="xs" c="dimmed" hiddenFrom="sm">
          {plan}
        </Text>
        <Text size="xs" c="dimmed" className="code" visibleFrom="sm">
          {id}
        </Text>
      </>
    ),
  },
  { header: 'Plan', render: ({ plan }) => plan, width: 110, isWide: true },
  numberColumn('This month', ({ month }) => showPeriod(month), 170),
  numberColumn('Today', ({ day }) => showPeriod(day), 140),
  numberColumn('Members', ({ members }) => members),
  { header: 'Sending', render: (team) => <Sending team={team} />, width: 130 },
]

/** All teams, with their plans and whether they may send. */
export function TeamsPage() {
  const filters = useFilters(['q', 'paused'])
  const creating = useDialog('new')
  const editing = useDialog('edit')
  const pausing = useDialog('pause')
  const inviting = useDialog('invite')
  const list = useList<OperatorTeam>('/operator/teams', { isTeamless: true, query: filters.filters })
  const columns: readonly Column<OperatorTeam>[] = [
    ...COLUMNS,
    actionsColumn((team) => (
      <Actions
        team={team}
        onEdit={() => editing.open(team.id)}
        onPause={() => pausing.open(team.id)}
        onInvite={() => inviting.open(team.id)}
      />
    )),
  ]
  return (
    <ResourcePage
      title="Teams"
      description="Every email belongs to a team. Each team has its own plan, users and API keys."
      actions={<AddButton dialog={creating}>Create team</AddButton>}
      filters={<FilterBar filters={filters} />}
      columns={columns}
      list={list}
      empty={{
        icon: IconUsersGroup,
        title: filters.isFiltered ? 'No matching teams' : 'No teams yet',
        children: filters.isFiltered
          ? 'Clear a filter to see more.'
          : 'Create a team, then invite its owner.',
      }}
    >
      <Dialogs teams={list.rows} />
    </ResourcePage>
  )
}

function FilterBar({ filters: { field, choice } }: { filters: Filters<'q' | 'paused'> }) {
  return (
    <Group p="sm" gap="sm">
      <TextInput
        aria-label="Name"
        placeholder="Names that begin with"
        leftSection={<IconSearch />}
        {...field('q')}
      />
      <Select
        aria-label="Sending"
        placeholder="Any"
        data={[
          { value: 'true', label: 'Paused' },
          { value: 'false', label: 'Active' },
        ]}
        {...choice('paused')}
      />
    </Group>
  )
}

/** The dialogs of the page: create, edit, pause, invite. */
function Dialogs({ teams }: { teams: readonly OperatorTeam[] }) {
  const creating = useDialog('new')
  const editing = useDialog('edit')
  const pausing = useDialog('pause')
  const inviting = useDialog('invite')
  const find = (id: string | null) => teams.find((team) => team.id === id) ?? null
  const editedTeam = find(editing.value)
  const paused = find(pausing.value)
  const invitingTeam = find(inviting.value)
  const closeForm = editedTeam === null ? creating.close : editing.close
  return (
    <>
      <Modal
        opened={creating.isOpen || editedTeam !== null}
        onClose={closeForm}
        title={editedTeam === null ? 'Create team' : 'Edit team'}
      >
        <TeamForm key={editedTeam?.id ?? 'new'} team={editedTeam} onClose={closeForm} />
      </Modal>
      <Modal opened={paused !== null} onClose={pausing.close} title="Pause sending">
        {paused !== null && <PauseTeamForm team={paused} onClose={pausing.close} />}
      </Modal>
      <Modal opened={invitingTeam !== null} onClose={inviting.close} title="Invite member">
        {invitingTeam !== null && <InviteForm team={invitingTeam} onClose={inviting.close} />}
      </Modal>
    </>
  )
}

const showPeriod = ({ used, limit }: OperatorTeam['month']) =>
  limit === null ? used.toLocaleString() : `${used.toLocaleString()} of ${limit.toLocaleString()}`

function Sending({ team: { sending_paused_at: at, sending_paused_reason: reason } }: { team: OperatorTeam }) {
  if (at === null) return <StatusBadge status="active" />
  return (
    <>
      <StatusBadge status="paused" />
      <Text size="xs" c="dimmed" className="foreign">
        {reason} <Moment at={at} isRelative />
      </Text>
    </>
  )
}

interface ActionsProps {
  team: OperatorTeam
  onEdit(): void
  onPause(): void
  onInvite(): void
}

function Actions({ team, onEdit, onPause, onInvite }: ActionsProps) {
  const change = useChange({
    isTeamless: true,
    onDone: () => notifyDone(`Sending of ${team.name} resumed.`),
    onError: notifyError,
  })
  const resume = () => change.mutate({ path: `/operator/teams/${team.id}/resume`, method: 'POST', body: {} })
  return (
    <DotsMenu label={`Actions for ${team.name}`}>
      <Menu.Item leftSection={<IconPencil />} onClick={onEdit}>
        Edit name or plan
      </Menu.Item>
      <Menu.Item leftSection={<IconUserPlus />} onClick={onInvite}>
        Invite member
      </Menu.Item>
      {team.sending_paused_at === null ? (
        <Menu.Item leftSection={<IconPlayerPause />} onClick={onPause}>
          Pause sending
        </Menu.Item>
      ) : (
        <Menu.Item leftSection={<IconPlayerPlay />} onClick={resume}>
          Resume sending
        </Menu.Item>
      )}
    </DotsMenu>
  )
}

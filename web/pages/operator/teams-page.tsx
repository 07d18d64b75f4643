import { ActionIcon, Button, Group, Menu, Modal, Select, Text, TextInput } from '@mantine/core'
import {
  IconDots,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlus,
  IconSearch,
  IconUserPlus,
  IconUsersGroup,
} from '@tabler/icons-react'
import type { OperatorTeam } from '../../api/records.ts'
import { useChange, useList } from '../../api/team.ts'
import { useDialog } from '../../ui/forms/dialog.ts'
import { Moment } from '../../ui/moment.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { notifyDone, notifyError } from '../../ui/page/notifications.tsx'
import { Page } from '../../ui/page/page.tsx'
import { Section } from '../../ui/page/section.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import type { Column } from '../../ui/tables/column.ts'
import { DataTable } from '../../ui/tables/data-table.tsx'
import { type Filters, useFilters } from '../../ui/tables/filters.ts'
import { InviteForm } from './invite-form.tsx'
import { PauseTeamForm, TeamForm } from './team-forms.tsx'
import { texts } from './texts.ts'

const COLUMNS: readonly Column<OperatorTeam>[] = [
  {
    header: texts.teamsPage.team,
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
  { header: texts.teamsPage.plan, render: ({ plan }) => plan, width: 110, isWide: true },
  {
    header: texts.teamsPage.thisMonth,
    render: ({ month }) => showPeriod(month),
    width: 170,
    align: 'right',
    isWide: true,
  },
  {
    header: texts.teamsPage.today,
    render: ({ day }) => showPeriod(day),
    width: 140,
    align: 'right',
    isWide: true,
  },
  {
    header: texts.teamsPage.members,
    render: ({ members }) => members,
    width: 90,
    align: 'right',
    isWide: true,
  },
  { header: texts.teamsPage.sending, render: (team) => <Sending team={team} />, width: 130 },
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
    {
      header: texts.teamsPage.actions,
      hasActions: true,
      align: 'right',
      width: 56,
      render: (team) => (
        <Actions
          team={team}
          onEdit={() => editing.open(team.id)}
          onPause={() => pausing.open(team.id)}
          onInvite={() => inviting.open(team.id)}
        />
      ),
    },
  ]
  return (
    <Page
      title={texts.teamsPage.teams}
      description={texts.teamsPage.everyEmailBelongsTeam}
      actions={
        <Button leftSection={<IconPlus />} onClick={() => creating.open()}>
          {texts.teamsPage.createATeam}
        </Button>
      }
    >
      <Section isFlush>
        <FilterBar filters={filters} />
        <DataTable
          label={texts.teamsPage.teams}
          columns={columns}
          list={list}
          keyOf={({ id }) => id}
          empty={
            <EmptyState
              icon={IconUsersGroup}
              title={filters.isFiltered ? texts.teamsPage.noMatchingTeams : texts.teamsPage.noTeamsYet}
            >
              {filters.isFiltered ? texts.teamsPage.clearFilterSeeMore : texts.teamsPage.createTeamThenInvite}
            </EmptyState>
          }
        />
      </Section>
      <Dialogs teams={list.rows} />
    </Page>
  )
}

function FilterBar({ filters: { filters, draft, setFilter } }: { filters: Filters<'q' | 'paused'> }) {
  return (
    <Group p="sm" gap="sm">
      <TextInput
        aria-label={texts.teamsPage.name}
        placeholder={texts.teamsPage.namesThatBeginWith}
        leftSection={<IconSearch />}
        value={draft.q ?? ''}
        onChange={(event) => setFilter('q', event.currentTarget.value)}
      />
      <Select
        aria-label={texts.teamsPage.sending}
        placeholder={texts.teamsPage.any}
        clearable
        data={[
          { value: 'true', label: texts.teamsPage.paused },
          { value: 'false', label: texts.teamsPage.active },
        ]}
        value={filters.paused ?? null}
        onChange={(value) => setFilter('paused', value ?? '')}
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
  const edited = find(editing.value)
  const paused = find(pausing.value)
  const invited = find(inviting.value)
  const closeForm = edited === null ? creating.close : editing.close
  return (
    <>
      <Modal
        opened={creating.isOpen || edited !== null}
        onClose={closeForm}
        title={edited === null ? texts.teamsPage.createATeam : texts.teamsPage.changeTheTeam}
      >
        <TeamForm key={edited?.id ?? 'new'} team={edited} onClose={closeForm} />
      </Modal>
      <Modal opened={paused !== null} onClose={pausing.close} title={texts.teamsPage.pauseSending}>
        {paused !== null && <PauseTeamForm team={paused} onClose={pausing.close} />}
      </Modal>
      <Modal opened={invited !== null} onClose={inviting.close} title={texts.teamsPage.inviteAPerson}>
        {invited !== null && <InviteForm team={invited} onClose={inviting.close} />}
      </Modal>
    </>
  )
}

const showPeriod = ({ used, limit }: OperatorTeam['month']) =>
  limit === null
    ? used.toLocaleString()
    : texts.teamsPage.usedOfLimit(used.toLocaleString(), limit.toLocaleString())

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
    onDone: () => notifyDone(texts.teamsPage.sendingOfResumed(team.name)),
  })
  const resume = () =>
    change.mutate(
      { path: `/operator/teams/${team.id}/resume`, method: 'POST', body: {} },
      { onError: notifyError },
    )
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon aria-label={texts.teamsPage.actionsFor(team.name)}>
          <IconDots />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconPencil />} onClick={onEdit}>
          {texts.teamsPage.changeNameOrPlan}
        </Menu.Item>
        <Menu.Item leftSection={<IconUserPlus />} onClick={onInvite}>
          {texts.teamsPage.inviteAPerson}
        </Menu.Item>
        {team.sending_paused_at === null ? (
          <Menu.Item leftSection={<IconPlayerPause />} onClick={onPause}>
            {texts.teamsPage.pauseSending}
          </Menu.Item>
        ) : (
          <Menu.Item leftSection={<IconPlayerPlay />} onClick={resume}>
            {texts.teamsPage.resumeSending}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

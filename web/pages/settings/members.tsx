import { ActionIcon, Badge, Group, Select, Text, Tooltip } from '@mantine/core'
import { IconUserMinus, IconUsersGroup } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import type { Member } from '../../api/account-records.ts'
import { type Role, sessionQuery } from '../../api/session.ts'
import { useChange, useList, useMay, useTeam } from '../../api/team.ts'
import { confirm } from '../../ui/forms/confirm.tsx'
import { notifyDone, notifyError } from '../../ui/notifications.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { Section } from '../../ui/page/section.tsx'
import { ROLE_TEXTS, withArticle } from '../../ui/role-words.ts'
import { actionsColumn, type Column } from '../../ui/tables/column.ts'
import { DataTable } from '../../ui/tables/data-table.tsx'
import { momentColumn } from '../../ui/tables/moment-column.tsx'
import { rolesFor } from './roles-for.ts'

/** The members of the team. */
export function Members() {
  const mayChange = useMay().change('Team')
  const list = useList<Member>('/team/members')
  const columns: readonly Column<Member>[] = [
    { header: 'Person', render: (member) => <Person member={member} /> },
    { header: 'Role', render: (member) => <RoleOf member={member} />, width: 150 },
    momentColumn('Since', ({ created_at: at }) => at, { isRelative: true, width: 150 }),
    ...(mayChange ? [actionsColumn((member: Member) => <Remove member={member} />)] : []),
  ]
  return (
    <Section title="Members" isFlush>
      <DataTable
        label="Members"
        columns={columns}
        list={list}
        keyOf={({ id }) => id}
        empty={
          <EmptyState icon={IconUsersGroup} title="No members">
            Invite a person to add a member.
          </EmptyState>
        }
      />
    </Section>
  )
}

function Person({ member: { name, email, is_you } }: { member: Member }) {
  return (
    <>
      <Group gap="xs">
        <Text size="sm" fw={500} className="foreign">
          {name}
        </Text>
        {is_you && <Badge>You</Badge>}
      </Group>
      <Text size="xs" c="dimmed" className="foreign">
        {email}
      </Text>
    </>
  )
}

/**
 * A select for the role of a member, for users who may change it. Changing one's own role needs confirmation, because
 * it may be impossible to undo.
 */
function RoleOf({ member }: { member: Member }) {
  const ownRole = useTeam().role
  const mayChange = useMay().change('Team')
  const client = useQueryClient()
  const change = useChange<Member>({
    onDone({ name, role, is_you }) {
      if (is_you) void client.invalidateQueries({ queryKey: sessionQuery.queryKey })
      notifyDone(`${name} is now ${withArticle(role)}.`)
    },
    onError: notifyError,
  })
  const choices = rolesFor(ownRole)
  if (!mayChange || !choices.includes(member.role)) return ROLE_TEXTS[member.role].label
  const give = (role: Role) =>
    change.mutate({ path: `/team/members/${member.id}`, method: 'PATCH', body: { role } })
  const choose = (role: Role) => {
    if (role === member.role) return
    if (!member.is_you) return give(role)
    confirm({
      title: `Become ${withArticle(role)}?`,
      children: 'You cannot undo this yourself.',
      action: 'Change my role',
      onConfirm: () => give(role),
    })
  }
  return (
    <Select
      aria-label={`Role of ${member.name}`}
      size="xs"
      data={choices.map((role) => ({ value: role, label: ROLE_TEXTS[role].label }))}
      value={member.role}
      allowDeselect={false}
      disabled={change.isPending}
      onChange={(value) => value !== null && choose(value as Role)}
    />
  )
}

function Remove({ member }: { member: Member }) {
  const ownRole = useTeam().role
  const onDone = () => notifyDone(`${member.name} removed from the team.`)
  const remove = useChange({ onDone, onError: notifyError })
  if (member.is_you || !rolesFor(ownRole).includes(member.role)) return null
  const ask = () =>
    confirm({
      title: `Remove ${member.name}?`,
      children: `${member.email} loses access to this team at once. Everything they created is kept, including API keys. You can invite them again.`,
      action: 'Remove from the team',
      onConfirm: () => remove.mutate({ path: `/team/members/${member.id}`, method: 'DELETE' }),
    })
  return (
    <Tooltip label="Remove from the team">
      <ActionIcon aria-label={`Remove ${member.name} from the team`} onClick={ask}>
        <IconUserMinus />
      </ActionIcon>
    </Tooltip>
  )
}

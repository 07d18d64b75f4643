import { ActionIcon, Badge, Group, Select, Text, Tooltip } from '@mantine/core'
import { IconUserMinus, IconUsersGroup } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import type { Member } from '../../api/account-records.ts'
import { type Role, sessionQuery } from '../../api/session.ts'
import { useChange, useList, useMay, useTeam } from '../../api/team.ts'
import { confirm } from '../../ui/confirm.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Moment } from '../../ui/moment.tsx'
import { tellDone, tellError } from '../../ui/notices.tsx'
import { ROLE_TEXTS, withArticle } from '../../ui/role-words.ts'
import { Section } from '../../ui/section.tsx'
import { rolesFor } from './roles-for.ts'

/** The people of the team. */
export function Members() {
  const mayChange = useMay().change('Team')
  const list = useList<Member>('/team/members')
  const columns: readonly Column<Member>[] = [
    { header: 'Person', render: (member) => <Person member={member} /> },
    { header: 'Role', render: (member) => <RoleOf member={member} />, width: 150 },
    {
      header: 'Since',
      render: ({ created_at }) => <Moment at={created_at} isRelative />,
      width: 150,
      isWide: true,
    },
    ...(mayChange
      ? [
          {
            header: 'Actions',
            hasActions: true,
            align: 'right' as const,
            width: 56,
            render: (member: Member) => <Remove member={member} />,
          },
        ]
      : []),
  ]
  return (
    <Section title="Members" isFlush>
      <DataTable
        label="Members"
        columns={columns}
        list={list}
        keyOf={({ id }) => id}
        empty={
          <EmptyState icon={IconUsersGroup} title="Nobody is here">
            Invite people to see them here.
          </EmptyState>
        }
      />
    </Section>
  )
}

function Person({ member: { name, email, is_you } }: { member: Member }) {
  return (
    <>
      <Group gap={8}>
        <Text size="sm" fw={550} className="foreign">
          {name}
        </Text>
        {is_you && <Badge color="gray">You</Badge>}
      </Group>
      <Text size="xs" c="dimmed" className="foreign">
        {email}
      </Text>
    </>
  )
}

/** Changed in place, by whoever may. One's own role is asked about first: it may be the last change that one can make. */
function RoleOf({ member }: { member: Member }) {
  const own = useTeam().role
  const mayChange = useMay().change('Team')
  const client = useQueryClient()
  const change = useChange<Member>({
    onDone({ name, role, is_you }) {
      if (is_you) void client.invalidateQueries({ queryKey: sessionQuery.queryKey })
      tellDone(`${name} is ${withArticle(role)} now.`)
    },
  })
  const choices = rolesFor(own)
  if (!mayChange || !choices.includes(member.role)) return ROLE_TEXTS[member.role].label
  const give = (role: Role) =>
    change.mutate(
      { path: `/team/members/${member.id}`, method: 'PATCH', body: { role } },
      { onError: tellError },
    )
  const choose = (role: Role) => {
    if (role === member.role) return
    if (!member.is_you) return give(role)
    confirm({
      title: `Become ${withArticle(role)}?`,
      children: 'You will not be able to take this back yourself.',
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
  const own = useTeam().role
  const remove = useChange({ onDone: () => tellDone(`${member.name} is no member any more.`) })
  if (member.is_you || !rolesFor(own).includes(member.role)) return null
  const ask = () =>
    confirm({
      title: `Remove ${member.name}?`,
      children: `${member.email} loses access to this team at once. What this person made stays, API keys too. They can be invited again.`,
      action: 'Remove from the team',
      onConfirm: () =>
        remove.mutate({ path: `/team/members/${member.id}`, method: 'DELETE' }, { onError: tellError }),
    })
  return (
    <Tooltip label="Remove from the team">
      <ActionIcon aria-label={`Remove ${member.name} from the team`} onClick={ask}>
        <IconUserMinus size={16} />
      </ActionIcon>
    </Tooltip>
  )
}

import { ActionIcon, Badge, Group, Select, Text, Tooltip } from '@mantine/core'
import { IconUserMinus, IconUsersGroup } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import type { Member } from '../../api/account-records.ts'
import { type Role, sessionQuery } from '../../api/session.ts'
import { useChange, useList, useMay, useTeam } from '../../api/team.ts'
import { confirm } from '../../ui/forms/confirm.tsx'
import { Moment } from '../../ui/moment.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { notifyDone, notifyError } from '../../ui/page/notifications.tsx'
import { Section } from '../../ui/page/section.tsx'
import { ROLE_TEXTS, withArticle } from '../../ui/role-words.ts'
import type { Column } from '../../ui/tables/column.ts'
import { DataTable } from '../../ui/tables/data-table.tsx'
import { rolesFor } from './roles-for.ts'
import { texts } from './texts.ts'

/** The members of the team. */
export function Members() {
  const mayChange = useMay().change('Team')
  const list = useList<Member>('/team/members')
  const columns: readonly Column<Member>[] = [
    { header: texts.members.person, render: (member) => <Person member={member} /> },
    { header: texts.members.role, render: (member) => <RoleOf member={member} />, width: 150 },
    {
      header: texts.members.since,
      render: ({ created_at }) => <Moment at={created_at} isRelative />,
      width: 150,
      isWide: true,
    },
    ...(mayChange
      ? [
          {
            header: texts.members.actions,
            hasActions: true,
            align: 'right' as const,
            width: 56,
            render: (member: Member) => <Remove member={member} />,
          },
        ]
      : []),
  ]
  return (
    <Section title={texts.members.members} isFlush>
      <DataTable
        label={texts.members.members}
        columns={columns}
        list={list}
        keyOf={({ id }) => id}
        empty={
          <EmptyState icon={IconUsersGroup} title={texts.members.noMembers}>
            {texts.members.invitePersonAddMember}
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
        {is_you && <Badge>{texts.members.you}</Badge>}
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
  const own = useTeam().role
  const mayChange = useMay().change('Team')
  const client = useQueryClient()
  const change = useChange<Member>({
    onDone({ name, role, is_you }) {
      if (is_you) void client.invalidateQueries({ queryKey: sessionQuery.queryKey })
      notifyDone(texts.members.isNow(name, withArticle(role)))
    },
  })
  const choices = rolesFor(own)
  if (!mayChange || !choices.includes(member.role)) return ROLE_TEXTS[member.role].label
  const give = (role: Role) =>
    change.mutate(
      { path: `/team/members/${member.id}`, method: 'PATCH', body: { role } },
      { onError: notifyError },
    )
  const choose = (role: Role) => {
    if (role === member.role) return
    if (!member.is_you) return give(role)
    confirm({
      title: texts.members.becomeRole(withArticle(role)),
      children: texts.members.cannotUndoYourself,
      action: texts.members.changeMyRole,
      onConfirm: () => give(role),
    })
  }
  return (
    <Select
      aria-label={texts.members.roleOf(member.name)}
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
  const remove = useChange({ onDone: () => notifyDone(texts.members.removedFromTheTeam(member.name)) })
  if (member.is_you || !rolesFor(own).includes(member.role)) return null
  const ask = () =>
    confirm({
      title: texts.members.removeQuestion(member.name),
      children: texts.members.losesAccessTeamOnce(member.email),
      action: texts.members.removeFromTheTeam,
      onConfirm: () =>
        remove.mutate({ path: `/team/members/${member.id}`, method: 'DELETE' }, { onError: notifyError }),
    })
  return (
    <Tooltip label={texts.members.removeFromTheTeam}>
      <ActionIcon aria-label={texts.members.removeNamed(member.name)} onClick={ask}>
        <IconUserMinus />
      </ActionIcon>
    </Tooltip>
  )
}

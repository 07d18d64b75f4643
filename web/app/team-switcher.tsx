import { Avatar, Group, Menu, Text, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconCheck, IconSelector } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import type { Session, TeamOfSession } from '../api/session.ts'
import { showWord } from '../ui/status-badge.tsx'

/** The current team, and a menu of the others. */
export function TeamSwitcher({ session: { teams }, team }: { session: Session; team: TeamOfSession | null }) {
  const navigate = useNavigate()
  return (
    <Menu width="target" position="bottom-start" shadow="md">
      <Menu.Target>
        <UnstyledButton w="100%" p={8} style={{ border: '1px solid var(--app-border)', borderRadius: 8 }}>
          <Group gap={8} wrap="nowrap">
            <Avatar size={24} radius="sm" color="sea" name={team?.name ?? '?'} variant="light" aria-hidden />
            <Text size="sm" fw={550} truncate style={{ flex: 1 }}>
              <VisuallyHidden>Team: </VisuallyHidden>
              {team?.name ?? 'Choose a team'}
              <VisuallyHidden>. Change team</VisuallyHidden>
            </Text>
            <IconSelector size={15} aria-hidden />
          </Group>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Teams</Menu.Label>
        {teams.map(({ id, name, role }) => (
          <Menu.Item
            key={id}
            onClick={() => void navigate({ to: `/${id}` })}
            rightSection={id === team?.id ? <IconCheck size={15} /> : null}
          >
            <Text size="sm" truncate>
              {name}
            </Text>
            <Text size="xs" c="dimmed">
              {showWord(role)}
            </Text>
          </Menu.Item>
        ))}
        {teams.length === 0 && <Menu.Item disabled>You are not a member of any team yet.</Menu.Item>}
      </Menu.Dropdown>
    </Menu>
  )
}

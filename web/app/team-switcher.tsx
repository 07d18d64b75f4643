import { Menu, Text, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconCheck, IconSelector } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import type { Session, TeamOfSession } from '../api/session.ts'
import { Mark } from '../ui/mark.tsx'
import { showWord } from '../ui/status-badge.tsx'

/** The current team, and a menu of the others. */
export function TeamSwitcher({ session: { teams }, team }: { session: Session; team: TeamOfSession | null }) {
  const navigate = useNavigate()
  return (
    <Menu width={240} position="bottom-start" shadow="md">
      <Menu.Target>
        <UnstyledButton className="sidebar-button">
          <Mark />
          <span className="one-line">
            <VisuallyHidden>Team: </VisuallyHidden>
            {team?.name ?? 'Choose a team'}
            <VisuallyHidden>. Change team</VisuallyHidden>
          </span>
          <IconSelector aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Teams</Menu.Label>
        {teams.map(({ id, name, role }) => (
          <Menu.Item
            key={id}
            onClick={() => void navigate({ to: `/${id}` })}
            rightSection={id === team?.id ? <IconCheck /> : null}
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

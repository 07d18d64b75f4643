import { Avatar, Menu, Text, UnstyledButton, useMantineColorScheme, VisuallyHidden } from '@mantine/core'
import {
  IconBook,
  IconDeviceDesktop,
  IconLogout,
  IconMoon,
  IconSelector,
  IconSun,
  IconUser,
} from '@tabler/icons-react'
import { endThisSession, leaveFor } from '../api/ended-session.ts'
import type { Session } from '../api/session.ts'
import { mayLeave } from '../ui/forms/leaving.ts'
import { Link } from '../ui/link.tsx'
import { notifyError } from '../ui/notifications.tsx'

const SCHEMES = [
  ['light', 'Light', IconSun],
  ['dark', 'Dark', IconMoon],
  ['auto', 'Match the system', IconDeviceDesktop],
] as const

async function logOut(userId: string): Promise<void> {
  if (!(await mayLeave())) return
  await endThisSession(userId)
  leaveFor('/app/login?notice=ended')
}

/** The user's menu: account, colour scheme, log out. */
export function UserMenu({ user }: { user: Session['user'] }) {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <Menu position="top-start" shadow="md" width={240}>
      <Menu.Target>
        <UnstyledButton className="sidebar-button">
          <Avatar name={user.name} color="gray" size={20} aria-hidden />
          <span className="one-line">
            <VisuallyHidden>You: </VisuallyHidden>
            {user.name}
          </span>
          <IconSelector aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" fw={500} c="var(--mantine-color-text)" truncate>
            {user.name}
          </Text>
          <Text size="xs" truncate>
            {user.email}
          </Text>
        </Menu.Label>
        <Menu.Item component={Link} to="/account" leftSection={<IconUser />}>
          Profile and security
        </Menu.Item>
        <Menu.Item component="a" href="/docs" target="_blank" leftSection={<IconBook />}>
          API reference
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>Colors</Menu.Label>
        {SCHEMES.map(([scheme, label, Glyph]) => (
          <Menu.Item
            key={scheme}
            onClick={() => setColorScheme(scheme)}
            leftSection={<Glyph />}
            aria-current={colorScheme === scheme}
            bg={colorScheme === scheme ? 'var(--app-faint)' : 'transparent'}
          >
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout />} onClick={() => void logOut(user.id).catch(notifyError)}>
          Log out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

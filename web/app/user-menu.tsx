import { Avatar, Menu, Text, UnstyledButton, useMantineColorScheme, VisuallyHidden } from '@mantine/core'
import { IconBook, IconDeviceDesktop, IconLogout, IconMoon, IconSun, IconUser } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { requestJson } from '../api/request.ts'
import type { Session } from '../api/session.ts'
import { notifyError } from '../ui/page/notifications.tsx'

const SCHEMES = [
  ['light', 'Light', IconSun],
  ['dark', 'Dark', IconMoon],
  ['auto', 'Match the system', IconDeviceDesktop],
] as const

/** The user's menu: account, colour scheme, log out. */
export function UserMenu({ user }: { user: Session['user'] }) {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const logOut = async () => {
    await requestJson('/session', { method: 'DELETE', teamId: null })
    // Loads a new page, so that no data of the session stays in memory.
    window.location.assign('/app/login?notice=ended')
  }
  return (
    <Menu position="bottom-end" shadow="md" width={230}>
      <Menu.Target>
        <UnstyledButton>
          <Avatar name={user.name} color="initials" size={32} aria-hidden />
          <VisuallyHidden>You: {user.name}</VisuallyHidden>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" fw={550} c="var(--mantine-color-text)" truncate>
            {user.name}
          </Text>
          <Text size="xs" truncate>
            {user.email}
          </Text>
        </Menu.Label>
        <Menu.Item component={Link} to="/account" leftSection={<IconUser size={16} />}>
          Profile and security
        </Menu.Item>
        <Menu.Item component="a" href="/docs" target="_blank" leftSection={<IconBook size={16} />}>
          API reference
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>Colours</Menu.Label>
        {SCHEMES.map(([scheme, label, Glyph]) => (
          <Menu.Item
            key={scheme}
            onClick={() => setColorScheme(scheme)}
            leftSection={<Glyph size={16} />}
            aria-current={colorScheme === scheme}
            bg={colorScheme === scheme ? 'var(--app-faint)' : 'transparent'}
          >
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => void logOut().catch(notifyError)}>
          Log out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

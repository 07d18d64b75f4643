import { AppShell, Burger, Group, ScrollArea, Text, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Link, Outlet, useParams, useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'
import { type Session, useSession } from '../api/session.ts'
import { lastTeam } from './last-team.ts'
import { Navigation } from './navigation-list.tsx'
import { Palette, PaletteButton } from './palette.tsx'
import { TeamSwitcher } from './team-switcher.tsx'
import { UserMenu } from './user-menu.tsx'

/** The frame around all pages that require a login. */
export function Shell() {
  const [isOpen, { toggle, close }] = useDisclosure()
  const { teamId } = useParams({ strict: false })
  const session = useSession()
  // Pages that belong to no team show the navigation of the team that was last open.
  const nearest = teamId ?? lastTeam() ?? session.teams[0]?.id
  const team = session.teams.find(({ id }) => id === nearest) ?? null
  const path = useRouterState({ select: (state) => state.location.pathname })
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of page closes the menu
  useEffect(close, [path])
  return (
    <AppShell
      layout="alt"
      padding="lg"
      header={{ height: 56, collapsed: false }}
      navbar={{ width: 232, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
    >
      <a className="skip-link" href="#main">
        Skip to main content
      </a>
      <AppShell.Header px="md" style={{ background: 'var(--app-surface)' }}>
        <Header user={session.user} isMenuOpen={isOpen} onToggleMenu={toggle} />
      </AppShell.Header>
      <AppShell.Navbar style={{ background: 'var(--app-surface)' }} aria-label="Main">
        <AppShell.Section p="sm" pb={4}>
          <Group justify="space-between" wrap="nowrap">
            <HomeLink />
            <Burger opened={isOpen} onClick={toggle} hiddenFrom="sm" size="sm" aria-label="Close the menu" />
          </Group>
        </AppShell.Section>
        <AppShell.Section px="sm" py={6}>
          <TeamSwitcher session={session} team={team} />
        </AppShell.Section>
        <AppShell.Section grow component={ScrollArea} type="auto" px="sm" pb="md">
          <Navigation session={session} team={team} />
        </AppShell.Section>
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1} style={{ outline: 'none' }}>
        <Outlet />
      </AppShell.Main>
      <Palette session={session} team={team} />
    </AppShell>
  )
}

interface HeaderProps {
  user: Session['user']
  isMenuOpen: boolean
  onToggleMenu(): void
}

function Header({ user, isMenuOpen, onToggleMenu }: HeaderProps) {
  return (
    <Group h="100%" justify="space-between" wrap="nowrap">
      <Group gap="sm" wrap="nowrap">
        <Burger
          opened={isMenuOpen}
          onClick={onToggleMenu}
          hiddenFrom="sm"
          size="sm"
          aria-label="Menu"
          aria-expanded={isMenuOpen}
        />
        <PaletteButton />
      </Group>
      <UserMenu user={user} />
    </Group>
  )
}

function HomeLink() {
  return (
    <UnstyledButton component={Link} to="/">
      <Group gap={8}>
        <img src="/assets/icon.svg" alt="" width={22} height={22} />
        <Text fw={650} size="md" lts="-0.01em">
          Sendwright
        </Text>
      </Group>
    </UnstyledButton>
  )
}

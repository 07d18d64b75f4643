import { AppShell, Burger, Group, ScrollArea, Text, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Link, Outlet, useParams, useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useSession } from '../api/session.ts'
import { lastTeam } from './last-team.ts'
import { Navigation } from './navigation-list.tsx'
import { Palette, PaletteButton } from './palette.tsx'
import { TeamSwitcher } from './team-switcher.tsx'
import { UserMenu } from './user-menu.tsx'

/** The frame around all pages of people who are logged in. */
export function Shell() {
  const [isOpen, { toggle, close }] = useDisclosure()
  const { teamId } = useParams({ strict: false })
  const session = useSession()
  // On pages that belong to no team, the way back is to the one that was looked at last.
  const nearest = teamId ?? lastTeam() ?? session.teams[0]?.id
  const team = session.teams.find(({ id }) => id === nearest) ?? null
  const path = useRouterState({ select: (state) => state.location.pathname })
  // biome-ignore lint/correctness/useExhaustiveDependencies: whoever came to another page has used the menu
  useEffect(close, [path])
  return (
    <AppShell
      layout="alt"
      padding="lg"
      header={{ height: 56, collapsed: false }}
      navbar={{ width: 232, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
    >
      <a className="skip-link" href="#main">
        Skip to what this page is about
      </a>
      <AppShell.Header px="md" style={{ background: 'var(--app-surface)' }}>
        <Group h="100%" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger
              opened={isOpen}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label="Menu"
              aria-expanded={isOpen}
            />
            <PaletteButton />
          </Group>
          <UserMenu user={session.user} />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar style={{ background: 'var(--app-surface)' }} aria-label="Main">
        <AppShell.Section p="sm" pb={4}>
          <Group justify="space-between" wrap="nowrap">
            <UnstyledButton component={Link} to="/">
              <Group gap={8}>
                <img src="/assets/icon.svg" alt="" width={22} height={22} />
                <Text fw={650} size="md" lts="-0.01em">
                  Sendwright
                </Text>
              </Group>
            </UnstyledButton>
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

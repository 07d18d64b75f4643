import { Anchor, AppShell, Burger, Group } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Outlet, useParams, useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'
import { serverAway } from '../api/connection.ts'
import { type Session, type TeamOfSession, useSession } from '../api/session.ts'
import { Link } from '../ui/link.tsx'
import { Mark } from '../ui/mark.tsx'
import { lastTeam } from './last-team.ts'
import { Palette } from './palette.tsx'
import { SessionGuard } from './session-guard.tsx'
import { Shortcuts } from './shortcuts.tsx'
import { Sidebar } from './sidebar.tsx'

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
      header={{ height: { base: 48, sm: 0 } }}
      navbar={{ width: 'var(--app-width-sidebar)', breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
    >
      <a className="skip-link" href="#main">
        Skip to main content
      </a>
      <AppShell.Header hiddenFrom="sm">
        <Group h="100%" px="md" gap="sm">
          <Burger opened={isOpen} onClick={toggle} size="sm" aria-label="Menu" aria-expanded={isOpen} />
          <Link to="/" aria-label="Sendwright">
            <Mark />
          </Link>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar className="sidebar" aria-label="Main">
        <Sidebar session={session} team={team} onClose={close} />
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1}>
        <TestStrip installation={session.installation} team={team} />
        <div className="main">
          <Outlet />
        </div>
      </AppShell.Main>
      <Reconnecting />
      <SessionGuard />
      <Palette session={session} team={team} />
      <Shortcuts session={session} team={team} />
    </AppShell>
  )
}

/** Says that the page may be out of date while the server is away. */
function Reconnecting() {
  const isAway = serverAway.use()
  return (
    <div role="status" className="reconnecting" data-tone="amber" hidden={!isAway}>
      {isAway && (
        <>
          <span className="dot" aria-hidden />
          Reconnecting…
        </>
      )}
    </div>
  )
}

interface TestStripProps {
  installation: Session['installation']
  team: TeamOfSession | null
}

/** States on every page that the server is in capture mode. */
function TestStrip({ installation, team }: TestStripProps) {
  if (installation.delivery !== 'capture') return null
  return (
    <aside className="test-strip" aria-label="Capture mode">
      <span>
        <span className="dot" data-tone="amber" aria-hidden />
        <strong>Capture mode: nothing leaves this machine</strong>
      </span>
      {team !== null && (
        <span className="actions">
          <Anchor component={Link} to={`/${team.id}/captured`} size="xs">
            Open mailbox
          </Anchor>
          <Anchor component={Link} to={`/${team.id}/go-live`} size="xs">
            Go live
          </Anchor>
        </span>
      )}
    </aside>
  )
}

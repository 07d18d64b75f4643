import { Burger, Menu, ScrollArea, Text, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconArrowLeft, IconCheck, IconSelector, IconServerCog } from '@tabler/icons-react'
import { useNavigate, useRouterState } from '@tanstack/react-router'
import type { Session, TeamOfSession } from '../api/session.ts'
import { Link } from '../ui/link.tsx'
import { Mark } from '../ui/mark.tsx'
import { showWord } from '../ui/status-badge.tsx'
import { type Place, SYSTEM_PLACES } from './navigation.ts'
import { PaletteButton } from './palette.tsx'
import { placesOf, tabAt } from './places.ts'
import { UserMenu } from './user-menu.tsx'

interface SidebarProps {
  session: Session
  /** Null on a page that belongs to no team, for a user without one. */
  team: TeamOfSession | null
  onClose(): void
}

/** The sidebar: the team's places, or for operators those of the installation. */
export function Sidebar({ session, team, onClose }: SidebarProps) {
  const isSystem = useRouterState({ select: ({ location }) => /^\/operator(\/|$)/.test(location.pathname) })
  return (
    <>
      <div className="sidebar-head">
        <TeamSwitcher session={session} team={team} />
        <Burger opened onClick={onClose} hiddenFrom="sm" size="sm" aria-label="Close menu" />
      </div>
      <div className="sidebar-search">
        <PaletteButton />
      </div>
      <ScrollArea type="auto" className="sidebar-places">
        {isSystem ? (
          <>
            <Text className="places-title">System</Text>
            <Places base="/operator" places={SYSTEM_PLACES} />
          </>
        ) : (
          team !== null && <Places base={`/${team.id}`} places={placesOf(session, team)} />
        )}
      </ScrollArea>
      <div className="sidebar-foot">
        {session.user.is_operator && <SystemSwitch isSystem={isSystem} team={team} />}
        <UserMenu user={session.user} />
      </div>
    </>
  )
}

function Places({ base, places }: { base: string; places: readonly Place[] }) {
  const path = useRouterState({ select: (state) => state.location.pathname })
  return (
    <ul className="places">
      {places.map((place) => {
        const to = place.tabs[0].path === '' ? base : `${base}/${place.tabs[0].path}`
        const isHere = tabAt(place, base, path) !== null
        return (
          <li key={place.label}>
            <Link to={to} className="place" aria-current={isHere ? markOf(place, path === to) : undefined}>
              <place.icon aria-hidden />
              {place.label}
            </Link>
          </li>
        )
      })}
    </ul>
  )
}

/** A place with tabs is not the current page: its tab is. On the page of a record, neither is. */
const markOf = (place: Place, isExact: boolean) => (isExact && place.tabs.length === 1 ? 'page' : 'true')

/** Switches operators between a team and the installation. */
function SystemSwitch({ isSystem, team }: { isSystem: boolean; team: TeamOfSession | null }) {
  if (isSystem && team === null) return null
  return (
    <Link to={isSystem ? `/${team?.id}` : '/operator/health'} className="sidebar-button">
      {isSystem ? <IconArrowLeft aria-hidden /> : <IconServerCog aria-hidden />}
      <span className="one-line">{isSystem ? `Back to ${team?.name ?? ''}` : 'System'}</span>
    </Link>
  )
}

/** The current team, and a menu of the others. */
function TeamSwitcher({ session: { teams }, team }: { session: Session; team: TeamOfSession | null }) {
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

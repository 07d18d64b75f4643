import { Burger, ScrollArea, Text } from '@mantine/core'
import { IconArrowLeft, IconServerCog } from '@tabler/icons-react'
import { useRouterState } from '@tanstack/react-router'
import type { Session, TeamOfSession } from '../api/session.ts'
import { Link } from '../ui/link.tsx'
import { type Place, SYSTEM_PLACES } from './navigation.ts'
import { PaletteButton } from './palette.tsx'
import { placesOf, tabAt, usePreviews } from './places.ts'
import { TeamSwitcher } from './team-switcher.tsx'
import { UserMenu } from './user-menu.tsx'

interface SidebarProps {
  session: Session
  /** Null on a page that belongs to no team, for a user without one. */
  team: TeamOfSession | null
  onClose(): void
}

/** The sidebar: the team's places, or for operators those of the installation. */
export function Sidebar({ session, team, onClose }: SidebarProps) {
  const [showsPreviews] = usePreviews()
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
          team !== null && <Places base={`/${team.id}`} places={placesOf(session, team, showsPreviews)} />
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

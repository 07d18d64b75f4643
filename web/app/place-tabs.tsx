import { useRouterState } from '@tanstack/react-router'
import { useSession } from '../api/session.ts'
import { useTeam } from '../api/team.ts'
import { Link } from '../ui/link.tsx'
import { placesOf, tabAt } from './places.ts'

/** The tabs of the current place, if it has several. Pages of single records have breadcrumbs instead. */
export function PlaceTabs() {
  const session = useSession()
  const team = useTeam()
  const path = useRouterState({ select: (state) => state.location.pathname })
  const base = `/${team.id}`
  const place = placesOf(session, team, false).find((each) => tabAt(each, base, path) !== null)
  if (place === undefined || place.tabs.length < 2) return null
  if (!place.tabs.some((tab) => path === `${base}/${tab.path}`)) return null
  return (
    <nav className="subnav" aria-label={place.label}>
      {place.tabs.map((tab) => {
        const to = `${base}/${tab.path}`
        return (
          <Link key={tab.path} to={to} aria-current={path === to ? 'page' : undefined}>
            {tab.label}
          </Link>
        )
      })}
    </nav>
  )
}

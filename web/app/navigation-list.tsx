import { NavLink, Text } from '@mantine/core'
import { Link, useRouterState } from '@tanstack/react-router'
import type { Session, TeamOfSession } from '../api/session.ts'
import { GROUPS, OPERATOR_PLACES, type Place } from './navigation.ts'

interface NavigationProps {
  session: Session
  /** Null on a page that belongs to no team. */
  team: TeamOfSession | null
}

/** Returns the team's places that this user may see. */
export function placesOf({ installation }: Session, team: TeamOfSession, places: readonly Place[]): Place[] {
  return places.filter(
    ({ area, isCaptureOnly }) =>
      (area === undefined || team.may_read.includes(area)) &&
      (!isCaptureOnly || installation.delivery === 'capture'),
  )
}

/** The navigation of the sidebar. */
export function Navigation({ session, team }: NavigationProps) {
  return (
    <>
      {team !== null &&
        GROUPS.map(({ label, places }) => (
          <PlaceGroup
            key={label}
            label={label}
            base={`/${team.id}`}
            places={placesOf(session, team, places)}
          />
        ))}
      {session.user.is_operator && <PlaceGroup label="Operator" base="/operator" places={OPERATOR_PLACES} />}
    </>
  )
}

function PlaceGroup({
  label,
  base,
  places,
}: {
  label: string | null
  base: string
  places: readonly Place[]
}) {
  const path = useRouterState({ select: (state) => state.location.pathname })
  return (
    <>
      {label !== null && (
        <Text size="xs" c="dimmed" fw={550} mt="md" mb={4} px={8}>
          {label}
        </Text>
      )}
      {places.map((place) => {
        const to = place.path === '' ? base : `${base}/${place.path}`
        const isHere = path === to || (place.path !== '' && path.startsWith(`${to}/`))
        return (
          <NavLink
            key={place.path}
            component={Link}
            to={to}
            label={place.label}
            leftSection={<place.icon size={17} stroke={1.6} />}
            active={isHere}
            activeOptions={{ exact: place.path === '' }}
            py={5}
            px={8}
            style={{ borderRadius: 6 }}
          />
        )
      })}
    </>
  )
}

import type { Session, TeamOfSession } from '../api/session.ts'
import { PLACES, type Place, type Tab } from './navigation.ts'

/** A place with the tabs that this user may see. */
export interface AllowedPlace extends Place {
  tabs: readonly [Tab, ...Tab[]]
}

/** Returns the team's places that this user may see. */
export function placesOf({ installation }: Session, team: TeamOfSession): AllowedPlace[] {
  return PLACES.filter(({ isCaptureOnly }) => !isCaptureOnly || installation.delivery === 'capture').flatMap(
    (place) => {
      const [first, ...others] = place.tabs.filter(
        ({ area }) => area === undefined || team.may_read.includes(area),
      )
      return first === undefined ? [] : [{ ...place, tabs: [first, ...others] as const }]
    },
  )
}

/** Returns the tab of the place at this path below `base`; null when the path is elsewhere. */
export function tabAt(place: Place, base: string, path: string): Tab | 'other' | null {
  const below = (part: string) => {
    const to = part === '' ? base : `${base}/${part}`
    return path === to || (part !== '' && path.startsWith(`${to}/`))
  }
  const tab = place.tabs.find((each) => below(each.path))
  return tab ?? (place.alsoAt?.some(below) === true ? 'other' : null)
}

import { Kbd, UnstyledButton } from '@mantine/core'
import { Spotlight, type SpotlightActionData, spotlight } from '@mantine/spotlight'
import { IconArrowsExchange, IconSearch, IconUser } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import type { Session, TeamOfSession } from '../api/session.ts'
import { MOD_KEY } from '../ui/keys.ts'
import { SYSTEM_PLACES } from './navigation.ts'
import { placesOf, usePreviews } from './places.ts'
import { TASKS } from './tasks.ts'
import { texts } from './texts.ts'

/** Opens the palette, and shows the keys that open it too. */
export function PaletteButton() {
  return (
    <UnstyledButton onClick={spotlight.open} className="search-button">
      <IconSearch aria-hidden />
      <span>{texts.palette.search}</span>
      <Kbd size="xs" visibleFrom="sm">
        {MOD_KEY === '⌘' ? '⌘K' : `${MOD_KEY} K`}
      </Kbd>
    </UnstyledButton>
  )
}

interface PaletteProps {
  session: Session
  team: TeamOfSession | null
}

/** Finds every page and task by its name: Ctrl or ⌘ with K, or `/`. */
export function Palette({ session, team }: PaletteProps) {
  const navigate = useNavigate()
  const [showsPreviews] = usePreviews()
  const open = (to: string) => () => void navigate({ to })
  const actions = [
    ...(team === null ? [] : actionsOfTeam(session, team, showsPreviews, open)),
    ...actionsOfUser(session, team, open),
  ]
  return (
    <Spotlight
      actions={actions}
      shortcut={['mod + K', '/']}
      nothingFound={texts.palette.noResults}
      highlightQuery
      scrollable
      maxHeight={420}
      searchProps={{
        leftSection: <IconSearch />,
        placeholder: texts.palette.searchPagesAndActions,
        'aria-label': texts.palette.searchPagesAndActions,
      }}
    />
  )
}

type Open = (to: string) => () => void

function actionsOfTeam(
  session: Session,
  team: TeamOfSession,
  showsPreviews: boolean,
  open: Open,
): SpotlightActionData[] {
  const places = placesOf(session, team, showsPreviews).flatMap(({ label: placeLabel, icon: Glyph, tabs }) =>
    tabs.map(({ label, path, keywords = '' }) => ({
      id: `place-${path}`,
      label,
      keywords: `${keywords} ${placeLabel}`,
      leftSection: <Glyph />,
      onClick: open(`/${team.id}/${path}`),
    })),
  )
  const allowed = TASKS.filter(({ area }) => team.may_change.includes(area))
  const tasks = allowed.map(({ label, path, area, icon: Glyph }) => ({
    id: `task-${path}`,
    label,
    keywords: area,
    leftSection: <Glyph />,
    onClick: open(`/${team.id}/${path}`),
  }))
  return [...places, ...tasks]
}

/** Returns actions for other teams, the account, and for operators the pages of the installation. */
function actionsOfUser(
  { teams, user }: Session,
  team: TeamOfSession | null,
  open: Open,
): SpotlightActionData[] {
  const others = teams.filter(({ id }) => id !== team?.id)
  return [
    ...others.map(({ id, name }) => ({
      id,
      label: texts.palette.team(name),
      keywords: 'switch',
      leftSection: <IconArrowsExchange />,
      onClick: open(`/${id}`),
    })),
    {
      id: 'account',
      label: texts.palette.profileAndSecurity,
      leftSection: <IconUser />,
      onClick: open('/account'),
    },
    ...(user.is_operator ? SYSTEM_PLACES : []).map(
      ({ label, icon: Glyph, tabs: [{ path, keywords = '' }] }) => ({
        id: `system-${path}`,
        label: texts.palette.systemPlace(label),
        keywords: texts.palette.systemKeywords(keywords),
        leftSection: <Glyph />,
        onClick: open(`/operator/${path}`),
      }),
    ),
  ]
}

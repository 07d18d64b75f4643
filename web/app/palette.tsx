import { Kbd, Text, UnstyledButton } from '@mantine/core'
import { Spotlight, type SpotlightActionData, spotlight } from '@mantine/spotlight'
import { IconArrowsExchange, IconSearch, IconUser } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import type { Session, TeamOfSession } from '../api/session.ts'
import { GROUPS, OPERATOR_PLACES } from './navigation.ts'
import { placesOf } from './navigation-list.tsx'
import { TASKS } from './tasks.ts'

/** Opens the palette, and shows the keys that open it too. */
export function PaletteButton() {
  return (
    <UnstyledButton
      onClick={spotlight.open}
      px={10}
      py={5}
      style={{
        border: '1px solid var(--app-border)',
        borderRadius: 8,
        display: 'flex',
        alignItems: 'center',
        gap: 8,
      }}
    >
      <IconSearch size={15} aria-hidden />
      <Text size="sm" c="dimmed">
        Go to …
      </Text>
      <Kbd size="xs" visibleFrom="sm">
        Ctrl K
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
  const open = (to: string) => () => void navigate({ to })
  const actions = [
    ...(team === null ? [] : actionsOfTeam(session, team, open)),
    ...actionsOfUser(session, team, open),
  ]
  return (
    <Spotlight
      actions={actions}
      shortcut={['mod + K', '/']}
      nothingFound="No results."
      highlightQuery
      scrollable
      maxHeight={420}
      searchProps={{
        leftSection: <IconSearch size={18} />,
        placeholder: 'Search pages and actions',
        'aria-label': 'Search pages and actions',
      }}
    />
  )
}

type Open = (to: string) => () => void

function actionsOfTeam(session: Session, team: TeamOfSession, open: Open): SpotlightActionData[] {
  const all = GROUPS.flatMap((group) => group.places)
  const places = placesOf(session, team, all).map(({ label, path, icon: Glyph, keywords = '' }) => ({
    id: `place-${path}`,
    label,
    keywords,
    leftSection: <Glyph size={18} />,
    onClick: open(`/${team.id}/${path}`),
  }))
  const allowed = TASKS.filter(({ area }) => team.may_change.includes(area))
  const tasks = allowed.map(({ label, path, area, icon: Glyph }) => ({
    id: `task-${path}`,
    label,
    keywords: area,
    leftSection: <Glyph size={18} />,
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
      label: `Team: ${name}`,
      keywords: 'switch',
      leftSection: <IconArrowsExchange size={18} />,
      onClick: open(`/${id}`),
    })),
    {
      id: 'account',
      label: 'Profile and security',
      leftSection: <IconUser size={18} />,
      onClick: open('/account'),
    },
    ...(user.is_operator ? OPERATOR_PLACES : []).map(({ label, path, icon: Glyph }) => ({
      id: `operator-${path}`,
      label: `Operator: ${label}`,
      leftSection: <Glyph size={18} />,
      onClick: open(`/operator/${path}`),
    })),
  ]
}

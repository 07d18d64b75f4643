import { Kbd, Text, UnstyledButton } from '@mantine/core'
import { Spotlight, type SpotlightActionData, spotlight } from '@mantine/spotlight'
import { IconArrowsExchange, IconSearch, IconUser } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import type { Session, TeamOfSession } from '../api/session.ts'
import { GROUPS, OPERATOR_PLACES } from './navigation.ts'
import { placesOf } from './navigation-list.tsx'
import { TASKS } from './tasks.ts'

/** Opens the palette; it says by which keys that is done too. */
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

/** Every place and every task by its name, from the keyboard: Ctrl or ⌘ with K, or `/`. */
export function Palette({ session, team }: { session: Session; team: TeamOfSession | null }) {
  const navigate = useNavigate()
  const open = (to: string) => () => void navigate({ to })
  const actions: SpotlightActionData[] = []
  if (team !== null) {
    const places = placesOf(
      session,
      team,
      GROUPS.flatMap((group) => group.places),
    )
    for (const { label, path, icon: Glyph, keywords = '' } of places)
      actions.push({
        id: `place-${path}`,
        label,
        keywords,
        leftSection: <Glyph size={18} />,
        onClick: open(`/${team.id}/${path}`),
      })
    for (const { label, path, area, icon: Glyph } of TASKS.filter(({ area }) =>
      team.may_change.includes(area),
    ))
      actions.push({
        id: `task-${path}`,
        label,
        keywords: area,
        leftSection: <Glyph size={18} />,
        onClick: open(`/${team.id}/${path}`),
      })
  }
  for (const { id, name } of session.teams.filter(({ id }) => id !== team?.id))
    actions.push({
      id,
      label: `Team: ${name}`,
      keywords: 'switch',
      leftSection: <IconArrowsExchange size={18} />,
      onClick: open(`/${id}`),
    })
  actions.push({
    id: 'account',
    label: 'Profile and security',
    leftSection: <IconUser size={18} />,
    onClick: open('/account'),
  })
  if (session.user.is_operator)
    for (const { label, path, icon: Glyph } of OPERATOR_PLACES)
      actions.push({
        id: `operator-${path}`,
        label: `Operator: ${label}`,
        leftSection: <Glyph size={18} />,
        onClick: open(`/operator/${path}`),
      })
  return (
    <Spotlight
      actions={actions}
      shortcut={['mod + K', '/']}
      nothingFound="Nothing has that name."
      highlightQuery
      scrollable
      maxHeight={420}
      searchProps={{
        leftSection: <IconSearch size={18} />,
        placeholder: 'Where to, or what to do?',
        'aria-label': 'Where to, or what to do',
      }}
    />
  )
}

import { Kbd, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import {
  Spotlight,
  type SpotlightActionData,
  type SpotlightActionGroupData,
  type SpotlightFilterFunction,
  spotlight,
} from '@mantine/spotlight'
import { IconArrowsExchange, IconSearch, IconUser } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Session, TeamOfSession } from '../api/session.ts'
import { MOD_KEY } from '../ui/keys.ts'
import { plural } from '../ui/plural.ts'
import { SYSTEM_PLACES } from './navigation.ts'
import { useFound } from './palette-records.tsx'
import { placesOf } from './places.ts'
import { TASKS } from './tasks.ts'

/** Opens the palette, and shows the keys that open it too. */
export function PaletteButton() {
  return (
    <UnstyledButton onClick={spotlight.open} className="search-button">
      <IconSearch aria-hidden />
      <span>Search</span>
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

/** A pause in typing before the records are searched. */
const TYPING_MS = 200
const COUNT_MAX = 30

/** Finds every page, task, email, contact, template and domain: Ctrl or ⌘ with K, or `/`. */
export function Palette({ session, team }: PaletteProps) {
  const navigate = useNavigate()
  const [query, setQuery] = useState('')
  const [typed] = useDebouncedValue(query.trim(), TYPING_MS)
  const [selected, setSelected] = useState('')
  const open = (to: string) => () => void navigate({ to })
  const results = useFound(team, query.trim() === '' ? '' : typed, open)
  const places = [
    ...(team === null ? [] : actionsOfTeam(session, team, open)),
    ...actionsOfUser(session, team, open),
  ]
  const pages = placesMatching(query, places)
  const count = results.groups.reduce((sum, { actions }) => sum + actions.length, pages.length)
  const isWaiting = results.isSearching || typed !== query.trim()
  return (
    <>
      <Spotlight
        query={query}
        onQueryChange={setQuery}
        actions={[{ group: 'Pages and actions', actions: pages }, ...results.groups]}
        filter={keepAll}
        limit={COUNT_MAX + places.length}
        shortcut={['mod + K', '/']}
        nothingFound={isWaiting ? 'Searching…' : 'No results.'}
        highlightQuery
        scrollable
        maxHeight={420}
        attributes={{ content: { 'aria-label': 'Search' } }}
        searchProps={{
          leftSection: <IconSearch />,
          placeholder: 'Search pages, emails, contacts and more',
          'aria-label': 'Search pages, emails, contacts and more',
          onKeyUp: () => setSelected(selectedLabel()),
        }}
      />
      <VisuallyHidden role="status">
        {query !== '' && (selected || plural(count, '1 result', `${count} results`))}
      </VisuallyHidden>
    </>
  )
}

/** Places are filtered here and records by the API. */
const keepAll: SpotlightFilterFunction = (_query, actions) =>
  (actions as SpotlightActionGroupData[]).filter((group) => group.actions.length > 0)

function placesMatching(query: string, places: readonly SpotlightActionData[]): SpotlightActionData[] {
  const words = query.trim().toLowerCase().split(/\s+/)
  return places.filter(({ label, keywords }) => {
    const text = `${label} ${String(keywords ?? '')}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
}

/** Returns the result that the arrow keys have reached. The focus stays in the field, so it is announced. */
const selectedLabel = () =>
  document.querySelector('.mantine-Spotlight-action[data-selected]')?.textContent ?? ''

type Open = (to: string) => () => void

function actionsOfTeam(session: Session, team: TeamOfSession, open: Open): SpotlightActionData[] {
  const places = placesOf(session, team).flatMap(({ label: placeLabel, icon: Glyph, tabs }) =>
    tabs.map(({ label, path, keywords = '' }) => ({
      id: `place-${path}`,
      label,
      keywords: `${keywords} ${placeLabel}`,
      leftSection: <Glyph />,
      onClick: open(`/${team.id}/${path}`),
    })),
  )
  const tasksAllowed = TASKS.filter(({ area }) => team.may_change.includes(area))
  const tasks = tasksAllowed.map(({ label, path, area, icon: Glyph }) => ({
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
      label: `Team: ${name}`,
      keywords: 'switch',
      leftSection: <IconArrowsExchange />,
      onClick: open(`/${id}`),
    })),
    {
      id: 'account',
      label: 'Profile and security',
      leftSection: <IconUser />,
      onClick: open('/account'),
    },
    ...(user.is_operator ? SYSTEM_PLACES : []).map(
      ({ label, icon: Glyph, tabs: [{ path, keywords = '' }] }) => ({
        id: `system-${path}`,
        label: `System: ${label}`,
        keywords: `operator ${keywords}`,
        leftSection: <Glyph />,
        onClick: open(`/operator/${path}`),
      }),
    ),
  ]
}

import { Kbd, Modal, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { Session, TeamOfSession } from '../api/session.ts'
import { MOD_KEY } from '../ui/keys.ts'
import { placesOf } from './places.ts'

/** The second key of a sequence counts if it follows within this time. */
const SEQUENCE_MS = 1_000

interface ShortcutsProps {
  session: Session
  team: TeamOfSession | null
}

/** Keys that work on every page: `g` and a letter open a place, `j` and `k` move in a list, `?` lists the keys. */
export function Shortcuts({ session, team }: ShortcutsProps) {
  const [isOpen, { open, close }] = useDisclosure()
  const navigate = useNavigate()
  const places = team === null ? [] : placesOf(session, team)
  useEffect(() => {
    let startedMs = Number.NEGATIVE_INFINITY
    const goTo = (key: string) => {
      const place = places.find((each) => each.key === key)
      if (place !== undefined && team !== null) void navigate({ to: `/${team.id}/${place.tabs[0].path}` })
    }
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      const isSecond = event.timeStamp - startedMs < SEQUENCE_MS
      startedMs = !isSecond && event.key === 'g' ? event.timeStamp : Number.NEGATIVE_INFINITY
      if (isSecond) goTo(event.key)
      else if (event.key === '?') open()
      else if (event.key === 'j') moveInList(1)
      else if (event.key === 'k') moveInList(-1)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [places, team, navigate, open])
  const keys: [string[], string][] = [
    [[MOD_KEY, 'K'], 'Search pages and records'],
    [['j'], 'Next row of a list'],
    [['k'], 'Previous row of a list'],
    [[MOD_KEY, 'S'], 'Save template'],
    ...places.flatMap(({ key, label }): [string[], string][] =>
      key === undefined ? [] : [[['g', key], `Go to ${label}`]],
    ),
    [['?'], 'Show this list'],
  ]
  return (
    <Modal opened={isOpen} onClose={close} title="Keyboard shortcuts" size="sm">
      <dl className="shortcuts">
        {keys.map(([sequence, text]) => (
          <div key={text}>
            <Text component="dt" size="sm">
              {text}
            </Text>
            <dd>
              {sequence.map((key) => (
                <Kbd key={key} size="xs">
                  {key}
                </Kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Modal>
  )
}

/** Keys belong to the field, editor or dialog that has the focus. */
function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return target.isContentEditable || target.closest('input, textarea, select, [role="dialog"]') !== null
}

/** Moves the focus to the next or previous row that is a link. Enter opens it. */
function moveInList(step: 1 | -1): void {
  const links = [...document.querySelectorAll<HTMLElement>('#main .row-link')]
  const at = links.indexOf(document.activeElement as HTMLElement)
  const next = at === -1 ? links[0] : links[at + step]
  next?.focus()
}

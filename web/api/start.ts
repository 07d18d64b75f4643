import { useState, useSyncExternalStore } from 'react'
import type { EmailSummary } from './records.ts'
import { useSession } from './session.ts'
import { type ListOf, useGet, useTeam } from './team.ts'

/** Returns the newest email of the team: null if there is none, undefined until it is known. */
export function useNewestEmail(): EmailSummary | null | undefined {
  const { data } = useGet<ListOf<EmailSummary>>('/emails', { query: { limit: 1 } })
  return data === undefined ? undefined : (data.data[0] ?? null)
}

/** Returns whether this browser skipped the first steps of the team, and a function that skips them. */
export function useSkippedStart(): [isSkipped: boolean, skip: () => void] {
  const { id } = useTeam()
  const [isSkipped, setSkipped] = useState(() => readSkipped(id))
  const skip = () => {
    setSkipped(true)
    rememberSkipped(id)
  }
  return [isSkipped, skip]
}

/**
 * Tokens of new keys, by user and team. They stay until the user dismisses them, on whichever page the user is meanwhile.
 * They are only in memory, so a reload or a logout forgets them.
 */
const newTokens = new Map<string, string>()
const watchers = new Set<() => void>()

function watchTokens(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => void watchers.delete(watcher)
}

/** Returns the token that this user created here and has not dismissed, and a function that sets or dismisses it. */
export function useNewToken(): [token: string | null, set: (token: string | null) => void] {
  const { user } = useSession()
  const { id } = useTeam()
  const name = `${user.id} ${id}`
  const token = useSyncExternalStore(watchTokens, () => newTokens.get(name) ?? null)
  const setToken = (next: string | null) => {
    if (next === null) newTokens.delete(name)
    else newTokens.set(name, next)
    for (const watcher of watchers) watcher()
  }
  return [token, setToken]
}

const nameOf = (teamId: string) => `sendwright-start-${teamId}`

function readSkipped(teamId: string): boolean {
  try {
    return localStorage.getItem(nameOf(teamId)) !== null
  } catch {
    // Without storage, Home stays open: it could not be left for the first steps again.
    return true
  }
}

function rememberSkipped(teamId: string): void {
  try {
    localStorage.setItem(nameOf(teamId), 'dismissed')
  } catch {
    // Without storage, the first steps are never opened by themselves.
  }
}

import { useState } from 'react'
import type { EmailSummary } from './records.ts'
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

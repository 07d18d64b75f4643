import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { ApiKey, Domain, EmailSummary } from '../../api/records.ts'
import { type ListOf, useGet, useMay, useTeam } from '../../api/team.ts'
import { useAll } from '../../api/whole-lists.ts'

export interface Start {
  isShown: boolean
  /** The first domain that can send. */
  domain: Domain | null
  hasKey: boolean
  /** The newest email of the team. */
  email: EmailSummary | null
  isDone: boolean
  show(): void
  dismiss(): void
}

const USABLE = new Set(['verified', 'temporary_failure'])

/** Returns how far a team is on the way to its first email, and whether the checklist is shown. */
export function useStart(): Start {
  const team = useTeam()
  const may = useMay()
  const { start: wanted } = useSearch({ strict: false }) as { start?: string }
  const navigate = useNavigate()
  const [isDismissed, setDismissed] = useState(() => readDismissed(team.id))
  const [wasNew, setWasNew] = useState(false)
  const domains = useAll<Domain>('/domains')
  const keys = useGet<ListOf<ApiKey>>('/api-keys', { query: { limit: 1 }, enabled: may.read('API keys') })
  const emails = useGet<ListOf<EmailSummary>>('/emails', { query: { limit: 1 } })
  const email = emails.data?.data[0] ?? null
  const isNew = emails.data !== undefined && email === null
  // The checklist stays visible when the first email arrives.
  useEffect(() => {
    if (isNew) setWasNew(true)
  }, [isNew])
  const setWanted = (value: string | undefined) =>
    void navigate({
      to: '.',
      search: (before: object) => ({ ...before, start: value }) as never,
      replace: true,
    })
  return {
    isShown: wanted === 'true' || ((isNew || wasNew) && !isDismissed),
    domain: domains.data?.find(({ status }) => USABLE.has(status)) ?? null,
    hasKey: (keys.data?.data.length ?? 0) > 0,
    email,
    isDone: email !== null,
    show: () => setWanted('true'),
    dismiss() {
      setDismissed(true)
      rememberDismissed(team.id)
      setWanted(undefined)
    },
  }
}

const nameOf = (teamId: string) => `sendwright-start-${teamId}`

function readDismissed(teamId: string): boolean {
  try {
    return localStorage.getItem(nameOf(teamId)) !== null
  } catch {
    return false
  }
}

function rememberDismissed(teamId: string): void {
  try {
    localStorage.setItem(nameOf(teamId), 'dismissed')
  } catch {
    // Without storage, the checklist appears again.
  }
}

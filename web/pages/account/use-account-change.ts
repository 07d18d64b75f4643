import type { UseMutationResult } from '@tanstack/react-query'
import { type Change, useChange } from '../../api/team.ts'

interface AccountChangeOptions<T> {
  onDone?: (answer: T) => void
  onError?: (error: Error) => void
}

/** Changes the user's account and refetches the session. */
export function useAccountChange<T = unknown>(
  options: AccountChangeOptions<T> = {},
): UseMutationResult<T, Error, Change> {
  return useChange<T>({ isTeamless: true, touches: ['/session'], ...options })
}

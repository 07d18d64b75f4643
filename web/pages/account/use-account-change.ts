import type { UseMutationResult } from '@tanstack/react-query'
import { type Change, useChange } from '../../api/team.ts'

interface AccountChangeOptions<T> {
  onDone?: (answer: T) => void
  onRefused?: (error: Error) => void
}

/** Changes something of one's own; who is logged in is read again. */
export function useAccountChange<T = unknown>(
  options: AccountChangeOptions<T> = {},
): UseMutationResult<T, Error, Change> {
  return useChange<T>({ isTeamless: true, touches: ['/session'], ...options })
}

import { type UseMutationResult, useQueryClient } from '@tanstack/react-query'
import { type Change, useChange } from '../../api/team.ts'

interface AccountChangeOptions<T> {
  onDone?: (answer: T) => void
  onRefused?: (error: Error) => void
}

/** Changes something of one's own; who is logged in is read again. */
export function useAccountChange<T = unknown>({
  onDone,
  onRefused,
}: AccountChangeOptions<T> = {}): UseMutationResult<T, Error, Change> {
  const client = useQueryClient()
  return useChange<T>({
    isTeamless: true,
    onDone(answer) {
      void client.invalidateQueries({ queryKey: ['session'] })
      onDone?.(answer)
    },
    ...(onRefused === undefined ? {} : { onRefused }),
  })
}

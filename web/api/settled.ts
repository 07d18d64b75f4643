import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { keyOf } from './query-keys.ts'
import { requestJson } from './request.ts'
import { useTeamId } from './team.ts'

const TYPING_MS = 350

/**
 * Asks about what is being edited, with a POST request that changes nothing, once the body has stayed the same for a moment. A
 * body of null sends no request. `isBehind` is true while the answer is about an earlier body.
 */
export function useSettled<T>(path: string, body: object | null): UseQueryResult<T> & { isBehind: boolean } {
  const teamId = useTeamId(false)
  const text = body === null ? '' : JSON.stringify(body)
  const [settled] = useDebouncedValue(text, TYPING_MS)
  const result = useQuery({
    queryKey: keyOf(teamId, path, { settled }),
    queryFn: ({ signal }) =>
      requestJson<T>(path, { method: 'POST', teamId, body: JSON.parse(settled) as unknown, signal }),
    enabled: settled !== '',
    placeholderData: keepPreviousData,
    retry: false,
  })
  return { ...result, isBehind: settled !== text || result.isPlaceholderData }
}

import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { SegmentCount } from '../../api/records.ts'
import { requestJson } from '../../api/request.ts'
import { keyOf, useTeam } from '../../api/team.ts'

const TYPING_MS = 350

/** Counts the contacts of an unsaved segment while it is edited. A body of null sends no request. */
export function useCount(body: object | null): UseQueryResult<SegmentCount> & { isBehind: boolean } {
  const team = useTeam()
  const text = body === null ? '' : JSON.stringify(body)
  const [settled] = useDebouncedValue(text, TYPING_MS)
  const result = useQuery({
    queryKey: keyOf(team.id, '/segments/count', { settled }),
    queryFn: ({ signal }) =>
      requestJson<SegmentCount>('/segments/count', {
        method: 'POST',
        teamId: team.id,
        body: JSON.parse(settled) as unknown,
        signal,
      }),
    enabled: settled !== '',
    placeholderData: keepPreviousData,
    retry: false,
  })
  return { ...result, isBehind: settled !== text || result.isPlaceholderData }
}

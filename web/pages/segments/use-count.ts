import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { SegmentCount } from '../../api/records.ts'
import { ask } from '../../api/request.ts'
import { keyOf, useTeam } from '../../api/team.ts'

const TYPING_MS = 350

/** How many contacts fit conditions that are not saved, as they are changed; null: there is nothing to ask yet. */
export function useCount(body: object | null): UseQueryResult<SegmentCount> & { isBehind: boolean } {
  const team = useTeam()
  const text = body === null ? '' : JSON.stringify(body)
  const [asked] = useDebouncedValue(text, TYPING_MS)
  const result = useQuery({
    queryKey: keyOf(team.id, '/segments/count', { asked }),
    queryFn: ({ signal }) =>
      ask<SegmentCount>('/segments/count', {
        method: 'POST',
        teamId: team.id,
        body: JSON.parse(asked) as unknown,
        signal,
      }),
    enabled: asked !== '',
    placeholderData: keepPreviousData,
    retry: false,
  })
  return { ...result, isBehind: asked !== text || result.isPlaceholderData }
}

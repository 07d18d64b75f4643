import { useMemo } from 'react'
import { useAll } from '../../../api/whole-lists.ts'

interface Named {
  id: string
  name: string
}

const NO_NAMES: ReadonlyMap<string, string> = new Map()

/** Returns the names of the records that steps refer to, by their ids; none until they are loaded. */
export function useRecordNames(): ReadonlyMap<string, string> {
  const { data: templates } = useAll<Named>('/templates')
  const { data: lists } = useAll<Named>('/lists')
  const { data: segments } = useAll<Named>('/segments')
  return useMemo(() => {
    if (templates === undefined || lists === undefined || segments === undefined) return NO_NAMES
    return new Map([...templates, ...lists, ...segments].map(({ id, name }) => [id, name]))
  }, [templates, lists, segments])
}

import type { Property } from './records.ts'
import { useAll } from './whole-lists.ts'

/** What contacts of this team can have; undefined until it is known. */
export function useProperties(): readonly Property[] | undefined {
  return useAll<Property>('/properties').data
}

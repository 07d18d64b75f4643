import type { Property } from './records.ts'
import { useAll } from './whole-lists.ts'

/** Returns the contact properties of this team; undefined until they are loaded. */
export function useProperties(): readonly Property[] | undefined {
  return useAll<Property>('/properties').data
}

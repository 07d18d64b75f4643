import type { Property } from './records.ts'
import { type ListOf, useGet } from './team.ts'

/** As many as a page of the API holds; the page of properties shows all. */
const COUNT_MAX = 100

/** What contacts of this team can have; undefined until it is known. */
export function useProperties(): readonly Property[] | undefined {
  return useGet<ListOf<Property>>('/properties', { query: { limit: COUNT_MAX } }).data?.data
}

import { useMemo } from 'react'
import { useProperties } from '../../api/properties.ts'
import type { ContactList } from '../../api/records.ts'
import { type ListOf, useGet } from '../../api/team.ts'
import type { Names } from './summary.ts'

/** As many as a page of the API holds. */
const COUNT_MAX = 100

/** What conditions can name; undefined until it is known. */
export function useNames(): Names | undefined {
  const properties = useProperties()
  const lists = useGet<ListOf<ContactList>>('/lists', { query: { limit: COUNT_MAX } }).data?.data
  return useMemo(
    () =>
      properties === undefined || lists === undefined
        ? undefined
        : { properties, lists: new Map(lists.map(({ id, name }) => [id, name])) },
    [properties, lists],
  )
}

import { useMemo } from 'react'
import { useProperties } from '../../api/properties.ts'
import type { ContactList } from '../../api/records.ts'
import { useAll } from '../../api/whole-lists.ts'
import type { Names } from './summary.ts'

/** What conditions can name; undefined until it is known. */
export function useNames(): Names | undefined {
  const properties = useProperties()
  const lists = useAll<ContactList>('/lists').data
  return useMemo(
    () =>
      properties === undefined || lists === undefined
        ? undefined
        : { properties, lists: new Map(lists.map(({ id, name }) => [id, name])) },
    [properties, lists],
  )
}

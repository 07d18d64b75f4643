import { useMemo } from 'react'
import { useProperties } from '../../api/properties.ts'
import type { ContactList } from '../../api/records.ts'
import { useAll } from '../../api/whole-lists.ts'
import type { Names } from './summary.ts'

/** Returns the names that conditions can refer to; undefined while they are loading. */
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

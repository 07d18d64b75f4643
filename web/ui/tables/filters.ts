import { useDebouncedCallback } from '@mantine/hooks'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type ChangeEvent, useEffect, useRef, useState } from 'react'
import { pickSet, withoutUnset } from '../../api/parameters.ts'

type Values<N extends string> = Partial<Record<N, string>>

export interface Filters<N extends string> {
  /** The filters in the page's address, which the API request uses. */
  filters: Values<N>
  /** The values of the fields, which are ahead of the address while the user types. */
  draft: Values<N>
  /** @param cleared filters that have no meaning with the new value */
  setFilter(name: N, value: string, cleared?: readonly N[]): void
  /** Returns the properties of a text field for the filter. `cleared` is as in `setFilter`. */
  field(
    name: N,
    cleared?: readonly N[],
  ): { value: string; onChange(event: ChangeEvent<HTMLInputElement>): void }
  /** Returns the properties of a select for the filter. */
  choice(name: N): { clearable: boolean; value: string | null; onChange(value: string | null): void }
  clear(): void
  isFiltered: boolean
}

const TYPING_MS = 250

/** Filters that are part of the page's address, so that a link shows the same list. */
export function useFilters<const N extends string>(names: readonly N[]): Filters<N> {
  const search = useSearch({ strict: false }) as Record<string, string | undefined>
  const navigate = useNavigate()
  const filters = pickSet(search, names)
  const stamp = JSON.stringify(filters)
  const [draft, setDraft] = useState<Values<N>>(filters)
  const appliedStamp = useRef(stamp)
  useEffect(() => {
    // An address that results from typing here may be older than what the fields contain by now.
    if (stamp !== appliedStamp.current) setDraft(JSON.parse(stamp) as Values<N>)
    appliedStamp.current = stamp
  }, [stamp])
  const apply = useDebouncedCallback((next: Values<N>) => {
    appliedStamp.current = JSON.stringify(pickSet(next, names))
    void navigate({
      to: '.',
      search: (before: object) => withoutUnset({ ...before, ...next }) as never,
      replace: true,
    })
  }, TYPING_MS)
  const setFilter: Filters<N>['setFilter'] = (name, value, cleared = []) => {
    const next = {
      ...draft,
      ...Object.fromEntries(cleared.map((each) => [each, undefined])),
      [name]: value,
    }
    setDraft(next)
    apply(next)
  }
  return {
    filters,
    draft,
    setFilter,
    field: (name, cleared) => ({
      value: draft[name] ?? '',
      onChange: (event) => setFilter(name, event.currentTarget.value, cleared),
    }),
    choice: (name) => ({
      clearable: true,
      value: draft[name] ?? null,
      onChange: (value) => setFilter(name, value ?? ''),
    }),
    clear() {
      apply.cancel()
      setDraft({})
      void navigate({
        to: '.',
        search: (before: object) =>
          withoutUnset({ ...before, ...Object.fromEntries(names.map((name) => [name, undefined])) }) as never,
      })
    },
    isFiltered: names.some((name) => filters[name] !== undefined),
  }
}

import { readLocalStorageValue, useLocalStorage } from '@mantine/hooks'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { pickSet } from '../../api/parameters.ts'
import { useSession } from '../../api/session.ts'
import { useTeamId } from '../../api/team.ts'
import { type Column, isOptional, nameOf, readSort, type Sort } from './column.ts'

/** A view with a name: the filters, columns and order of a list. */
export interface SavedView {
  name: string
  search: Readonly<Record<string, string>>
}

/** How the user looks at a list: its columns and order, and the saved views. */
export interface ListView<T> {
  /** All columns of the list. */
  all: readonly Column<T>[]
  /** The columns that are shown. */
  columns: readonly Column<T>[]
  toggleColumn(name: string): void
  /** Null for the list's own order. */
  sort: Sort | null
  /** Sorts by the column, or reverses its order. */
  sortBy(column: Column<T>): void
  /** Whether the API must return the oldest records first. */
  isOldestFirst: boolean
  saved: readonly SavedView[]
  save(name: string): void
  remove(name: string): void
  open(view: SavedView): void
  /** The saved view that the page shows now. */
  current: SavedView | null
  /** Returns the whole view, as parameters of an address. */
  whole(): Readonly<Record<string, string>>
}

type Search = Readonly<Record<string, string | undefined>>

/**
 * Reads the view of a list from the address. Columns that the address does not name are those that this browser last
 * chose.
 * @param name names the list in the browser's storage
 * @param filters the parameters of the address that belong to the view
 */
export function useListView<T>(
  name: string,
  all: readonly Column<T>[],
  filters: readonly string[],
): ListView<T> {
  const search = useSearch({ strict: false }) as Search
  const navigate = useNavigate()
  const { saved, setSaved, remembered, remember } = useStored(name)
  const names = (search.columns ?? remembered ?? '').split(',').filter((each) => each !== '')
  const stamp = names.join()
  const columns = useMemo(() => shownOf(all, stamp === '' ? [] : stamp.split(',')), [all, stamp])
  const sort = useMemo(() => readSort(search.sort), [search.sort])
  const order = all.find(({ isListOrder }) => isListOrder)
  const isOldestFirst = order !== undefined && sort?.name === nameOf(order) && !sort.isDescending
  const go = (parameters: Search, replace: boolean) =>
    void navigate({ to: '.', search: parameters as never, replace, resetScroll: false })
  const keys = [...filters, 'columns', 'sort']
  const here = pickSet(search, keys)
  return {
    all,
    columns,
    sort,
    isOldestFirst,
    saved,
    current: saved.find((view) => isSame(view.search, here)) ?? null,
    toggleColumn(toggled) {
      const names = new Set(columns.map(nameOf))
      if (!names.delete(toggled)) names.add(toggled)
      const next = all
        .map(nameOf)
        .filter((each) => names.has(each))
        .join()
      remember(next)
      go({ ...search, columns: next }, true)
    },
    sortBy: (column) => go({ ...search, sort: nextSort(column, sort) }, true),
    save(title) {
      const whole = { ...here, columns: columns.map(nameOf).join() }
      setSaved([...saved.filter((view) => view.name !== title), { name: title, search: whole }])
      go({ ...search, ...whole }, true)
    },
    remove: (title) => setSaved(saved.filter((view) => view.name !== title)),
    open: (view) => go(view.search, false),
    whole: () => ({ ...here, columns: columns.map(nameOf).join() }),
  }
}

/** The first order of the list's own time is newest first, so its column offers oldest first. */
function nextSort<T>(column: Column<T>, sort: Sort | null): string | undefined {
  const name = nameOf(column)
  if (column.isListOrder) return sort?.name === name && !sort.isDescending ? undefined : name
  return sort?.name === name && !sort.isDescending ? `-${name}` : name
}

function shownOf<T>(all: readonly Column<T>[], names: readonly string[]): readonly Column<T>[] {
  return all.filter((column) => {
    if (!isOptional(column, all)) return true
    return names.length === 0 ? column.isExtra !== true : names.includes(nameOf(column))
  })
}

/** What this browser keeps of the list, for this user and team. */
function useStored(name: string) {
  const { user } = useSession()
  const key = `sendwright-list-${user.id}-${useTeamId(false) ?? 'system'}-${name}`
  const [saved, setSaved] = useLocalStorage<SavedView[]>({
    key: `${key}-views`,
    defaultValue: readLocalStorageValue({ key: `${key}-views`, defaultValue: [] }),
  })
  const [remembered, remember] = useLocalStorage<string | null>({
    key: `${key}-columns`,
    defaultValue: readLocalStorageValue({ key: `${key}-columns`, defaultValue: null }),
  })
  return { saved: Array.isArray(saved) ? saved : [], setSaved, remembered, remember }
}

function isSame(one: Search, other: Search): boolean {
  const names = Object.keys({ ...one, ...other })
  return names.every((name) => one[name] === other[name])
}

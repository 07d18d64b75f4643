import {
  type UseInfiniteQueryResult,
  type UseMutationResult,
  type UseQueryResult,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { createContext, useContext, useMemo, useRef } from 'react'
import { fixedKeyOf, keyOf } from './query-keys.ts'
import { type Query, type RequestOptions, requestJson } from './request.ts'
import { isScrolled, useBehind } from './scrolled.ts'
import type { TeamOfSession } from './session.ts'

export const TeamContext = createContext<TeamOfSession | null>(null)

/** Returns the team of the current page. Throws Error on a page without one. */
export function useTeam(): TeamOfSession {
  const team = useContext(TeamContext)
  if (team === null) throw new Error('This page does not belong to a team.')
  return team
}

/** Returns what the user's role allows in an area of docs/permissions.md. The API checks it again. */
export function useMay(): { read(area: string): boolean; change(area: string): boolean } {
  const { may_read, may_change } = useTeam()
  return { read: (area) => may_read.includes(area), change: (area) => may_change.includes(area) }
}

/** The envelope of every list (API-12). */
export interface ListOf<T> {
  object: 'list'
  data: T[]
  has_more: boolean
  links?: { next: string | null; prev?: string | null }
  meta?: { total: number }
}

export interface ReadOptions {
  query?: Query
  enabled?: boolean
  /** For data whose changes the event stream (live.ts) does not announce. */
  refetchIntervalMs?: number
  /** For paths that belong to no team. */
  isTeamless?: boolean
}

interface GetOptions<T> extends ReadOptions {
  /** The interval applies while this returns true. Default: always. */
  refetchWhile?: (answer: T) => boolean
  /** Whether the response never changes. */
  isFixed?: boolean
}

/** Reads one resource of the team. */
export function useGet<T>(
  path: string,
  {
    query = {},
    enabled = true,
    refetchIntervalMs = 0,
    refetchWhile = () => true,
    isTeamless,
    isFixed,
  }: GetOptions<T> = {},
): UseQueryResult<T> {
  const teamId = useTeamId(isTeamless)
  return useQuery({
    queryKey: isFixed ? fixedKeyOf(teamId, path) : keyOf(teamId, path, query),
    queryFn: ({ signal }) => requestJson<T>(path, { teamId, query, signal }),
    enabled,
    refetchInterval: ({ state: { data } }) =>
      refetchIntervalMs > 0 && (data === undefined || refetchWhile(data)) && refetchIntervalMs,
    ...(isFixed ? { staleTime: Number.POSITIVE_INFINITY } : {}),
  })
}

/** Returns the id of the page's team; null for paths that belong to no team. */
export function useTeamId(isTeamless: boolean | undefined): string | null {
  const team = useContext(TeamContext)
  return isTeamless ? null : (team?.id ?? null)
}

export interface ReadList<T> {
  rows: T[]
  total: number | null
  /** Null when the last request succeeded, and before it completes. */
  error: unknown
  /** The error is of a further page, so the rows that are shown are up to date. */
  isMoreFailed: boolean
  isPending: boolean
  isFetching: boolean
  hasMore: boolean
  /** More than the first page was read, so events no longer refetch the list (scrolled.ts). */
  isPastFirstPage: boolean
  readMore(): void
  refetch(): void
  /** The list is scrolled, and something changed since (scrolled.ts). */
  isBehind: boolean
  catchUp(): void
}

interface ListOptions<T> extends ReadOptions {
  countAPage?: number
  /** Returns the value for `after`. Default: the record's id. */
  cursorOf?: (row: T) => string
  /** Reads from the other end: pages before the first possible id, each turned around. */
  isOldestFirst?: boolean
}

/** Sorts before every id. */
const NO_ID = '00000000-0000-0000-0000-000000000000'
/** The most that the API returns at once. Pages after the first are read while the user scrolls. */
const COUNT_FURTHER = 100

/** Reads a list page by page. Each request continues after the last record (keyset pagination). */
export function useList<T extends { id?: string }>(
  path: string,
  {
    query = {},
    enabled = true,
    refetchIntervalMs = 0,
    isTeamless,
    countAPage = 50,
    cursorOf = (row) => row.id ?? '',
    isOldestFirst = false,
  }: ListOptions<T> = {},
): ReadList<T> {
  const teamId = useTeamId(isTeamless)
  const queryKey = [...keyOf(teamId, path, query), isOldestFirst ? 'pages from the end' : 'pages']
  const behind = useBehind(queryKey)
  const result: UseInfiniteQueryResult<{ pages: ListOf<T>[] }> = useInfiniteQuery({
    queryKey,
    queryFn: async ({ signal, pageParam }) => {
      const place = isOldestFirst ? { before: pageParam ?? NO_ID } : { after: pageParam }
      const limit = pageParam === undefined ? countAPage : COUNT_FURTHER
      const page = await requestJson<ListOf<T>>(path, {
        teamId,
        query: { ...query, limit, ...place },
        signal,
      })
      return isOldestFirst ? { ...page, data: page.data.reverse() } : page
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ has_more, data, links }) => {
      const last = data.at(-1)
      if (!has_more) return undefined
      // With filters, a page may be empty and still have a next page.
      const linked = isOldestFirst ? readPlace(links?.prev, 'before') : readPlace(links?.next, 'after')
      return linked ?? (last === undefined ? undefined : cursorOf(last))
    },
    enabled,
    placeholderData: (before) => before,
    refetchInterval: (list) => refetchIntervalMs > 0 && !isScrolled(list) && refetchIntervalMs,
    refetchOnWindowFocus: (list) => !isScrolled(list),
    refetchOnReconnect: (list) => !isScrolled(list),
  })
  const pages = result.data?.pages ?? NO_PAGES
  const rows = useMemo(() => pages.flatMap(({ data }) => data as T[]), [pages])
  return {
    rows,
    total: pages[0]?.meta?.total ?? null,
    error: result.error,
    isMoreFailed: result.isFetchNextPageError,
    isPending: result.isPending,
    isFetching: result.isFetching,
    hasMore: result.hasNextPage,
    isPastFirstPage: pages.length > 1,
    readMore: () => {
      if (result.hasNextPage && !result.isFetchingNextPage) void result.fetchNextPage()
    },
    refetch: () => void result.refetch(),
    isBehind: behind.isBehind && !result.isFetching,
    catchUp: behind.catchUp,
  }
}

const NO_PAGES: never[] = []

/** Returns where the page of a link begins. */
function readPlace(link: string | null | undefined, name: 'after' | 'before'): string | null {
  return link == null ? null : new URL(link, window.location.origin).searchParams.get(name)
}

/** A request that changes something, sent by `mutate`. */
export interface Change extends Omit<RequestOptions, 'teamId' | 'signal'> {
  path: string
}

export interface ChangeOptions<T> {
  /** Further API paths to refetch. The first segment of the changed path is always refetched. */
  touches?: readonly string[]
  onDone?: (answer: T) => void
  /** For forms: shows the API's messages next to the fields (ui/forms/form-errors.ts). */
  onError?: (error: Error) => void
  isTeamless?: boolean
}

/** Changes something of the team, then refetches what may have changed. */
export function useChange<T = unknown>({
  touches = [],
  onDone,
  onError,
  isTeamless,
}: ChangeOptions<T> = {}): UseMutationResult<T, Error, Change> {
  const teamId = useTeamId(isTeamless)
  const client = useQueryClient()
  // A double click, or Enter pressed twice, means one request: an identical request is not sent while the first is
  // pending.
  const running = useRef(new Map<string, Promise<T>>())
  const mutation = useMutation({
    mutationFn: ({ path, ...rest }: Change) => requestJson<T>(path, { ...rest, teamId }),
    onError: (error) => onError?.(error),
    onSettled: (_answer, _error, change) => void running.current.delete(JSON.stringify(change)),
    async onSuccess(answer, { path }) {
      onDone?.(answer)
      const paths = [`/${path.split('/')[1]}`, ...touches]
      await Promise.all(paths.map((each) => client.invalidateQueries({ queryKey: keyOf(teamId, each) })))
    },
  })
  const mutateAsync: typeof mutation.mutateAsync = (change, options) => {
    const stamp = JSON.stringify(change)
    const answer = running.current.get(stamp) ?? mutation.mutateAsync(change, options)
    running.current.set(stamp, answer)
    return answer
  }
  const mutate: typeof mutation.mutate = (change, options) =>
    void mutateAsync(change, options).catch(() => null)
  return { ...mutation, mutate, mutateAsync }
}

import {
  type QueryKey,
  type UseInfiniteQueryResult,
  type UseMutationResult,
  type UseQueryResult,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { createContext, useContext, useRef } from 'react'
import { type Ask, ask, type Query } from './request.ts'
import { isScrolled, useBehind } from './scrolled.ts'
import type { TeamOfSession } from './session.ts'

export const TeamContext = createContext<TeamOfSession | null>(null)

/** The team whose page this is. */
export function useTeam(): TeamOfSession {
  const team = useContext(TeamContext)
  if (team === null) throw new Error('This is no page of a team.')
  return team
}

/** What the user's role allows in an area of docs/permissions.md; the API decides it again. */
export function useMay(): { read(area: string): boolean; change(area: string): boolean } {
  const { may_read, may_change } = useTeam()
  return { read: (area) => may_read.includes(area), change: (area) => may_change.includes(area) }
}

/** The envelope of every list (API-12). */
export interface ListOf<T> {
  object: 'list'
  data: T[]
  has_more: boolean
  links?: { next: string | null }
  meta?: { total: number }
}

/** Everything that is known of a path of the API, whatever its query. */
export const keyOf = (teamId: string | null, path: string, query?: Query): QueryKey =>
  query === undefined ? [teamId, ...path.split('/').slice(1)] : [teamId, ...path.split('/').slice(1), query]

/** Of what never changes, such as a message that was sent: nothing that happens makes it be read again. */
export const fixedKeyOf = (teamId: string | null, path: string): QueryKey => ['fixed', ...keyOf(teamId, path)]

export interface ReadOptions {
  query?: Query
  enabled?: boolean
  /** For what the stream of events (live.ts) does not tell. */
  refetchIntervalMs?: number
  /** For paths that belong to no team. */
  isTeamless?: boolean
}

interface GetOptions<T> extends ReadOptions {
  /** It is read again as long as this holds of it; by default always. */
  refetchWhile?: (answer: T) => boolean
  /** It never changes. */
  isFixed?: boolean
}

/** Reads one thing of the team. */
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
    queryFn: ({ signal }) => ask<T>(path, { teamId, query, signal }),
    enabled,
    refetchInterval: ({ state: { data } }) =>
      refetchIntervalMs > 0 && (data === undefined || refetchWhile(data)) && refetchIntervalMs,
    ...(isFixed ? { staleTime: Number.POSITIVE_INFINITY } : {}),
  })
}

/** The team of the page, or null for what belongs to none. */
export function useTeamId(isTeamless: boolean | undefined): string | null {
  const team = useContext(TeamContext)
  return isTeamless ? null : (team?.id ?? null)
}

export interface ReadList<T> {
  rows: T[]
  total: number | null
  /** Null until the first answer. */
  error: unknown
  isPending: boolean
  isFetching: boolean
  hasMore: boolean
  readMore(): void
  refetch(): void
  /** It is scrolled, and something happened since (scrolled.ts). */
  isBehind: boolean
  catchUp(): void
}

interface ListOptions<T> extends ReadOptions {
  countAPage?: number
  /** What `after` names; by default the id. */
  cursorOf?: (row: T) => string
}

/** Reads a list of the team as far as it is scrolled: each answer goes on after the last record (keyset). */
export function useList<T extends { id?: string }>(
  path: string,
  {
    query = {},
    enabled = true,
    refetchIntervalMs = 0,
    isTeamless,
    countAPage = 50,
    cursorOf = (row) => row.id ?? '',
  }: ListOptions<T> = {},
): ReadList<T> {
  const teamId = useTeamId(isTeamless)
  const queryKey = [...keyOf(teamId, path, query), 'pages']
  const behind = useBehind(queryKey)
  const result: UseInfiniteQueryResult<{ pages: ListOf<T>[] }> = useInfiniteQuery({
    queryKey,
    queryFn: ({ signal, pageParam }) =>
      ask<ListOf<T>>(path, { teamId, query: { ...query, limit: countAPage, after: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ has_more, data, links }) => {
      const last = data.at(-1)
      if (!has_more) return undefined
      // Of several filters a page may hold nothing, and yet say where to look on.
      return readAfter(links?.next) ?? (last === undefined ? undefined : cursorOf(last))
    },
    enabled,
    placeholderData: (before) => before,
    refetchInterval: (list) => refetchIntervalMs > 0 && !isScrolled(list) && refetchIntervalMs,
    refetchOnWindowFocus: (list) => !isScrolled(list),
    refetchOnReconnect: (list) => !isScrolled(list),
  })
  const pages = result.data?.pages ?? []
  return {
    rows: pages.flatMap(({ data }) => data),
    total: pages[0]?.meta?.total ?? null,
    error: result.error,
    isPending: result.isPending,
    isFetching: result.isFetching,
    hasMore: result.hasNextPage,
    readMore: () => {
      if (result.hasNextPage && !result.isFetchingNextPage) void result.fetchNextPage()
    },
    refetch: () => void result.refetch(),
    isBehind: behind.isBehind && !result.isFetching,
    catchUp: behind.catchUp,
  }
}

/** The `after` of a link to the next page. */
function readAfter(link: string | null | undefined): string | null {
  return link == null ? null : new URL(link, window.location.origin).searchParams.get('after')
}

/** A request that changes something, to be sent by `mutate`. */
export interface Change extends Omit<Ask, 'teamId' | 'signal'> {
  path: string
}

interface ChangeOptions<T> {
  /** Paths of the API whose answers are read again, besides the first word of the changed one. */
  touches?: readonly string[]
  onDone?: (answer: T) => void
  /** For forms: shows what the API says beside the fields (ui/form-errors.ts). */
  onRefused?: (error: Error) => void
  isTeamless?: boolean
}

/** Changes something of the team, and reads again what it may have changed. */
export function useChange<T = unknown>({
  touches = [],
  onDone,
  onRefused,
  isTeamless,
}: ChangeOptions<T> = {}): UseMutationResult<T, Error, Change> {
  const teamId = useTeamId(isTeamless)
  const client = useQueryClient()
  // Who clicks twice, or presses Enter twice, wants it once: the same is not sent again while it is on its way.
  const running = useRef(new Set<string>())
  const { mutate, ...rest } = useMutation({
    mutationFn: ({ path, ...rest }: Change) => ask<T>(path, { ...rest, teamId }),
    onError: (error) => onRefused?.(error),
    onSettled: (_answer, _error, change) => void running.current.delete(JSON.stringify(change)),
    async onSuccess(answer, { path }) {
      onDone?.(answer)
      const changed = [`/${path.split('/')[1]}`, ...touches]
      await Promise.all(changed.map((each) => client.invalidateQueries({ queryKey: keyOf(teamId, each) })))
    },
  })
  const mutateOnce: typeof mutate = (change, options) => {
    const stamp = JSON.stringify(change)
    if (running.current.has(stamp)) return
    running.current.add(stamp)
    mutate(change, options)
  }
  return { ...rest, mutate: mutateOnce }
}

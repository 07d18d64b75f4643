import type { QueryKey } from '@tanstack/react-query'
import type { Query } from './request.ts'

/** Returns the query key of a path. Without `query`, it matches every query of that path. */
export const keyOf = (teamId: string | null, path: string, query?: Query): QueryKey =>
  query === undefined ? [teamId, ...path.split('/').slice(1)] : [teamId, ...path.split('/').slice(1), query]

/** Returns the query key of data that never changes, such as a sent message. Events do not refetch it. */
export const fixedKeyOf = (teamId: string | null, path: string): QueryKey => ['fixed', ...keyOf(teamId, path)]

import type { Segment } from '../../audience/segments/segments-queries.ts'
import type { UnsubscribeScope } from '../../emails/request/unsubscribe-scope.ts'

/** A list or a segment of the team. */
export interface AudienceItem {
  kind: 'list' | 'segment'
  id: string
}

/** The contacts of any of `include`, without those of any of `exclude`. */
export interface Audience {
  include: readonly AudienceItem[]
  exclude: readonly AudienceItem[]
}

export const NO_AUDIENCE: Audience = { include: [], exclude: [] }
/** Maximum number of items in each of `include` and `exclude`. */
export const AUDIENCE_ITEMS_MAX = 20

/** A list, or the conditions of a segment as of the start. */
export type FrozenItem = { listId: string } | { segment: Pick<Segment, 'matchType' | 'groups'> }

/** The audience as of the start of a campaign. */
export interface FrozenAudience {
  include: readonly FrozenItem[]
  exclude: readonly FrozenItem[]
  /** The newest contact of the team as of then. Absent in versions that earlier versions stored, and null without contacts. */
  newestContactId?: string | null
  /** What recipients leave, if the deletion of a list would change that. */
  scope?: UnsubscribeScope
}

/** The topic that recipients unsubscribe from, unless the campaign goes to exactly one list. */
const CAMPAIGNS_TOPIC = 'Campaigns'

/** Returns what a recipient unsubscribes from: the one included list, or else the topic of campaigns. */
export function scopeOf({ include, scope }: FrozenAudience): UnsubscribeScope {
  if (scope !== undefined) return scope
  const [first] = include
  const isOneList = include.length === 1 && first !== undefined && 'listId' in first
  return isOneList ? { kind: 'list', listId: first.listId } : { kind: 'topic', topic: CAMPAIGNS_TOPIC }
}

/** Returns the id of the one included list or segment; null if several are included, or one of the other kind. */
export function onlyIncluded({ include }: Audience, kind: AudienceItem['kind']): string | null {
  const [first] = include
  return include.length === 1 && first?.kind === kind ? first.id : null
}

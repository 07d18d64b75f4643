import type { Tx } from '../../db/db-types.ts'
import { holdReferences } from '../../db/references.ts'
import { type Audience, type AudienceItem, NO_AUDIENCE, onlyIncluded } from './audience.ts'
import { freezeAudience } from './freeze-audience.ts'

/** The audience in a request. `listId` or `segmentId` is the short form of one inclusion. */
export interface AudienceChanges {
  /** A side that is absent stays as it is. */
  audience?: { include?: readonly GivenItem[]; exclude?: readonly GivenItem[] } | null
  listId?: string | null
  segmentId?: string | null
}

export interface GivenItem {
  listId: string | null
  segmentId: string | null
}

type Refuse = (field: string, message: string) => void
type Side = keyof Audience

/**
 * Returns the audience after a request, without validating its ids. In the short form, an id replaces what is included, and null
 * removes the one inclusion of that kind. Exclusions stay, unless `audience` is null.
 */
export function mergeAudience(before: Audience, changes: AudienceChanges, refuse: Refuse): Audience {
  const { audience, listId, segmentId } = changes
  if (audience === undefined) return mergeShort(before, changes)
  if (audience === null) return mergeShort(NO_AUDIENCE, changes)
  if (listId != null || segmentId != null) {
    refuse('audience', 'The audience field must not be combined with list_id or segment_id.')
  }
  const readSide = (side: Side) => {
    const items = audience[side]
    return items === undefined ? before[side] : readItems(`audience.${side}`, items, refuse)
  }
  return { include: readSide('include'), exclude: readSide('exclude') }
}

/** With both kinds, validateAudience refuses the audience. */
function mergeShort(before: Audience, { listId, segmentId }: AudienceChanges): Audience {
  if (before.include.length > 1 && listId == null && segmentId == null) return before
  const list = listId === undefined ? onlyIncluded(before, 'list') : listId
  const segment = segmentId === undefined ? onlyIncluded(before, 'segment') : segmentId
  const include: AudienceItem[] = []
  if (list !== null) include.push({ kind: 'list', id: list })
  if (segment !== null) include.push({ kind: 'segment', id: segment })
  return { include, exclude: before.exclude }
}

/** Reads items, each once. */
function readItems(path: string, rawItems: readonly GivenItem[], refuse: Refuse): AudienceItem[] {
  const items = new Map<string, AudienceItem>()
  for (const [index, { listId, segmentId }] of rawItems.entries()) {
    const id = listId ?? segmentId
    if (id === null || (listId !== null && segmentId !== null)) {
      refuse(`${path}.${index}`, `The ${path}.${index} field needs either list_id or segment_id.`)
    } else items.set(id, { kind: listId === null ? 'segment' : 'list', id })
  }
  return [...items.values()]
}

/**
 * Validates that what a request names exists, and locks it until the transaction ends. Returns the audience without deleted
 * inclusions. Deleted exclusions stay, and are refused in a campaign that is to go out.
 */
export async function validateAudience(
  tx: Tx,
  teamId: string,
  audience: Audience,
  { changes, goesOut }: { changes: AudienceChanges; goesOut: boolean },
  refuse: Refuse,
): Promise<Audience> {
  const isFound = await findItems(tx, teamId, audience)
  for (const side of ['include', 'exclude'] as const) {
    const isOfShort = side === 'include' && changes.audience == null
    const isGiven = isOfShort
      ? changes.listId != null || changes.segmentId != null
      : changes.audience?.[side] !== undefined
    for (const [index, item] of isGiven ? audience[side].entries() : []) {
      const field = isOfShort ? `${item.kind}_id` : `audience.${side}.${index}.${item.kind}_id`
      if (!isFound(item))
        refuse(field, `The ${field} field must be the id of a ${item.kind} of this account.`)
    }
  }
  if (goesOut) await refuseLost(tx, teamId, audience, refuse)
  const include = audience.include.filter(isFound)
  if (isShort(changes) && new Set(include.map(({ kind }) => kind)).size > 1) {
    refuse('list_id', 'The list_id field must not be combined with segment_id.')
  }
  return { ...audience, include }
}

const isShort = ({ audience, listId, segmentId }: AudienceChanges) =>
  audience == null && (listId != null || segmentId != null)

async function findItems(tx: Tx, teamId: string, { include, exclude }: Audience) {
  const items = [...include, ...exclude]
  const idsOf = (kind: AudienceItem['kind']) => items.flatMap((item) => (item.kind === kind ? [item.id] : []))
  const segments = await holdReferences(tx, teamId, 'segment', idsOf('segment'))
  const lists = await holdReferences(tx, teamId, 'list', idsOf('list'))
  return ({ kind, id }: AudienceItem) => (kind === 'list' ? lists : segments).has(id)
}

/** Refuses exclusions that would leave out fewer contacts than they did, because a list was deleted. */
async function refuseLost(tx: Tx, teamId: string, audience: Audience, refuse: Refuse): Promise<void> {
  const { lost } = await freezeAudience(tx, teamId, audience)
  for (const index of lost) {
    refuse(
      `audience.exclude.${index}`,
      `The audience.exclude.${index} field names a list or segment that was deleted, or a segment with a condition on a deleted list. Remove it, or choose another.`,
    )
  }
}

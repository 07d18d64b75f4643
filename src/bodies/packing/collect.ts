import type { Db } from '../../db/db-types.ts'
import type { Log } from '../../lib/log.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { deleteUnusedDictionaries } from '../dictionaries-queries.ts'
import { type BodyStore, objectName } from '../store/body-store.ts'
import { deletePack, giveUpPacks, listUnusedPacks, markUnusedPacks, type PackKey } from './collect-queries.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** A pack that is not committed by then never will be. */
const WRITING_MAX_MS = HOUR_MS
/**
 * How long objects outlive the last row that named them, so that the rows of an older backup, once restored, find their
 * bodies. These rows have the keys, too.
 */
export const UNUSED_KEPT_MS = 7 * DAY_MS
/** Packers use no dictionary for longer (pack-team.ts), so that none begins a pack with one that is deleted now. */
export const DICTIONARY_USED_MS = 7 * DAY_MS
const REMOVE_MS = 10_000
/** The time for removing objects in one round. Packing waits meanwhile. */
const REMOVE_ALL_MS = 5 * 60_000
/** The number of failures in a row after which the store counts as unavailable. */
const FAILURES_MAX = 20
const BATCH_MAX = 500
/** Places before and after all packs. */
const FIRST = { teamId: '00000000-0000-0000-0000-000000000000', id: '00000000-0000-0000-0000-000000000000' }
const LAST = { teamId: 'ffffffff-ffff-ffff-ffff-ffffffffffff', id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' }

export interface CollectDeps {
  db: Db
  clock: Clock
  store: BodyStore
  log: Log
  isStopping(): boolean
}

/**
 * Deletes the objects that no email names, and dictionaries that no pack names. Each object has had a row since before it
 * existed, so nothing is listed in the store.
 * @param start the `last` of the previous time, after which this one begins; null: the beginning
 * @returns the number of deleted objects, whether time was over before the end, and the last pack it tried
 */
export async function collectPacks(
  deps: CollectDeps,
  start: PackKey | null,
): Promise<{ count: number; isLate: boolean; last: PackKey }> {
  const { db, clock, log, isStopping } = deps
  const now = clock.now()
  const ago = (ms: number) => new Date(now.getTime() - ms)
  await giveUpPacks(db, ago(WRITING_MAX_MS), now)
  let after: PackKey | null = FIRST
  while (after !== null && !isStopping()) {
    after = await markUnusedPacks(db, after, { before: ago(HOUR_MS), now }, BATCH_MAX)
  }
  const { count, failure, isLate, last } = await removeObjects(deps, ago(UNUSED_KEPT_MS), start ?? FIRST)
  if (isStopping()) return { count, isLate, last }
  await deleteUnusedDictionaries(db, ago(DICTIONARY_USED_MS + DAY_MS))
  if (failure !== null)
    log.warn({ err: failure }, 'objects that no email names could not be deleted, and are tried again')
  return { count, isLate, last }
}

/**
 * Removes the objects of packs that have been unused since before `before`, beginning after `start`. An object that cannot be
 * removed does not stop the others. A store that does not answer does, because nothing is packed meanwhile.
 */
async function removeObjects(deps: CollectDeps, before: Date, start: PackKey) {
  const { db, clock, store, isStopping } = deps
  const endMs = clock.now().getTime() + REMOVE_ALL_MS
  let count = 0
  let failure: unknown = null
  let failureCount = 0
  let last = start
  for await (const pack of listInCircle(db, before, start)) {
    const isLate = clock.now().getTime() >= endMs
    if (isLate || isStopping()) return { count, failure, isLate, last }
    last = pack
    const error = await removeObject(store, pack).catch((reason: unknown) => reason)
    if (error === undefined) {
      await deletePack(db, pack)
      count++
    }
    failure ??= error ?? null
    failureCount = error === undefined ? 0 : failureCount + 1
    if (isTimeout(error) || failureCount === FAILURES_MAX) break
  }
  return { count, failure, isLate: false, last }
}

/** Lists the unused packs after `start`, then those from the beginning up to it: each once. */
async function* listInCircle(db: Db, before: Date, start: PackKey): AsyncGenerator<PackKey> {
  const parts = [
    { from: start, until: LAST },
    { from: FIRST, until: start },
  ]
  for (const { from, until } of parts) {
    let after: PackKey | null = from
    while (after !== null) {
      const packs: PackKey[] = await listUnusedPacks(db, { after, until, before }, BATCH_MAX)
      yield* packs
      after = packs.length === BATCH_MAX ? (packs.at(-1) ?? null) : null
    }
  }
}

async function removeObject(store: BodyStore, { teamId, id }: { teamId: string; id: string }): Promise<void> {
  const signal = AbortSignal.timeout(REMOVE_MS)
  await store.remove(objectName(teamId, id), signal)
  // Where a file system is not mounted, there is nothing to remove. The object is still on it.
  await store.recognize(false, signal)
}

/** Returns whether the time of a signal was over. */
function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError'
}

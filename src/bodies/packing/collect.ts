import type { Db } from '../../db/db-types.ts'
import type { Log } from '../../lib/log.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { deleteUnusedDictionaries } from '../dictionaries-queries.ts'
import { type BodyStore, objectName } from '../store/body-store.ts'
import { deletePack, giveUpPacks, listUnusedPacks, markUnusedPacks } from './collect-queries.ts'

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
/** After this time the next round goes on, so that packing has its turn. */
const REMOVE_ALL_MS = 5 * 60_000
/** After so many failures in a row, the store is probably away. */
const FAILURES_MAX = 20
const BATCH_MAX = 500
const FIRST = { teamId: '00000000-0000-0000-0000-000000000000', id: '00000000-0000-0000-0000-000000000000' }

export interface CollectDeps {
  db: Db
  clock: Clock
  store: BodyStore
  log: Log
  isStopping(): boolean
}

/**
 * Deletes the objects that no email names, and dictionaries that no pack names. Each object has had a row since before it
 * existed, so nothing is listed in the store. Returns the number of deleted objects, and whether time was over before the end.
 */
export async function collectPacks(deps: CollectDeps): Promise<{ count: number; isLate: boolean }> {
  const { db, clock, log, isStopping } = deps
  const now = clock.now()
  const ago = (ms: number) => new Date(now.getTime() - ms)
  await giveUpPacks(db, ago(WRITING_MAX_MS), now)
  let after: Awaited<ReturnType<typeof markUnusedPacks>> = FIRST
  while (after !== null && !isStopping()) {
    after = await markUnusedPacks(db, after, { before: ago(HOUR_MS), now }, BATCH_MAX)
  }
  const { count, failure, isLate } = await removeObjects(deps, ago(UNUSED_KEPT_MS))
  if (isStopping()) return { count, isLate }
  await deleteUnusedDictionaries(db, ago(DICTIONARY_USED_MS + DAY_MS))
  if (failure !== null)
    log.warn({ err: failure }, 'objects that no email names could not be deleted, and are tried again')
  return { count, isLate }
}

/**
 * Removes the objects of packs that have been unused since before `before`. An object that the store does not remove keeps no
 * others, but a store that does not answer ends it: meanwhile, nothing is packed in the whole installation.
 */
async function removeObjects(deps: CollectDeps, before: Date) {
  const { db, clock, isStopping } = deps
  const endMs = clock.now().getTime() + REMOVE_ALL_MS
  let count = 0
  let failure: unknown = null
  let failureCount = 0
  for (;;) {
    const packs = await listUnusedPacks(db, before, BATCH_MAX)
    for (const pack of packs) {
      const isLate = clock.now().getTime() >= endMs
      if (isLate || isStopping()) return { count, failure, isLate }
      const error = await removeObject(deps.store, pack).catch((reason: unknown) => reason)
      if (error === undefined) {
        await deletePack(db, pack)
        count++
      }
      failure ??= error ?? null
      failureCount = error === undefined ? 0 : failureCount + 1
      if (isTimeout(error) || failureCount === FAILURES_MAX) return { count, failure, isLate: false }
    }
    // What could not be removed would be listed again.
    if (packs.length < BATCH_MAX || failure !== null) return { count, failure, isLate: false }
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

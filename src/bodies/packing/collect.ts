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
 * existed, so nothing is listed in the store. Returns the number of deleted objects.
 */
export async function collectPacks({ db, clock, store, log, isStopping }: CollectDeps): Promise<number> {
  const now = clock.now()
  const ago = (ms: number) => new Date(now.getTime() - ms)
  await giveUpPacks(db, ago(WRITING_MAX_MS), now)
  let after: Awaited<ReturnType<typeof markUnusedPacks>> = FIRST
  while (after !== null && !isStopping()) {
    after = await markUnusedPacks(db, after, { before: ago(HOUR_MS), now }, BATCH_MAX)
  }
  let count = 0
  let failure: unknown = null
  for (;;) {
    const packs = await listUnusedPacks(db, ago(UNUSED_KEPT_MS), BATCH_MAX)
    for (const pack of packs) {
      if (isStopping()) return count
      const isRemoved = await store
        .remove(objectName(pack.teamId, pack.id), AbortSignal.timeout(REMOVE_MS))
        .then(
          () => true,
          (error: unknown) => {
            failure ??= error
            return false
          },
        )
      if (!isRemoved) continue
      await deletePack(db, pack)
      count++
    }
    // What could not be removed would be listed again.
    if (packs.length < BATCH_MAX || failure !== null) break
  }
  await deleteUnusedDictionaries(db, ago(DICTIONARY_USED_MS + DAY_MS))
  if (failure !== null)
    log.warn({ err: failure }, 'objects that no email names could not be deleted, and are tried again')
  return count
}

import { zstdDecompressSync } from 'node:zlib'
import type { Db } from '../db/db-types.ts'
import type { PackedBody, ReadPackedBody } from '../emails/rows/packed-queries.ts'
import { ApiError } from '../lib/api-error.ts'
import { AnswerCache } from '../lib/async/answer-cache.ts'
import type { Log } from '../lib/log.ts'
import { findDictionary } from './dictionaries-queries.ts'
import { bodyContext, deriveBodyKey, unsealBody } from './pack/body-cipher.ts'
import { type BodyStore, objectName } from './store/body-store.ts'

/** How long a read waits for the store, besides the time that a large body takes. */
const READ_MS = 5_000
const BYTES_PER_MS = 2_000
/** Of at most 112 KB each. */
const DICTIONARIES_MAX = 100
const DICTIONARY_MS = 10 * 60_000
const RETRY_AFTER_SECONDS = 10

export interface ReadBodyDeps {
  db: Db
  /** Null: the installation has no store, or no longer. */
  store: BodyStore | null
  /** Derived for `BODIES`. */
  key: Buffer
  log: Log
}

export function createReadBody({ db, store, key, log }: ReadBodyDeps): ReadPackedBody {
  const dictionaries = new AnswerCache<Buffer>({ keptMs: DICTIONARY_MS, countMax: DICTIONARIES_MAX })

  function dictionaryOf({ teamId, dictionaryId }: PackedBody): Promise<Buffer> | null {
    if (dictionaryId === null) return null
    return dictionaries.get(dictionaryId, async () => {
      const content = await findDictionary(db, teamId, dictionaryId)
      if (content === null) throw new Error(`The dictionary ${dictionaryId} is missing.`)
      return zstdDecompressSync(content)
    })
  }

  async function readSealed({ teamId, packId, start, bytes }: PackedBody): Promise<Buffer> {
    if (store === null) throw new Error('SENDWRIGHT_BODIES is not set, but bodies were moved.')
    const signal = AbortSignal.timeout(READ_MS + Math.round(bytes / BYTES_PER_MS))
    return store.read(objectName(teamId, packId), start, bytes, signal)
  }

  return async (body) => {
    const dictionary = await dictionaryOf(body)
    const sealed = await readSealed(body).catch((error: unknown) => {
      log.warn({ err: error, pack: body.packId }, 'a body could not be read from its store')
      throw new ApiError(
        'service_unavailable',
        'The content of this email is in storage that is unavailable at the moment.',
        { retryAfterSeconds: RETRY_AFTER_SECONDS },
      )
    })
    return unsealBody(sealed, deriveBodyKey(key, body.key), bodyContext(body), dictionary)
  }
}

import { Histogram, type Registry } from 'prom-client'
import { BODIES } from '../bodies/pack/body-cipher.ts'
import { createReadBody } from '../bodies/read-body.ts'
import { type BodyStore, type OnStore, observeStore } from '../bodies/store/body-store.ts'
import { openBodyStore } from '../bodies/store/open-body-store.ts'
import type { Config } from '../config/config.ts'
import type { Db } from '../db/db-types.ts'
import type { ReadPackedBody } from '../emails/rows/packed-queries.ts'
import { deriveKey } from '../lib/crypto/seal.ts'
import type { Log } from '../lib/log.ts'

/** The store of bodies, and what reads from it. */
export interface Bodies {
  /** Null: bodies stay in PostgreSQL. */
  store: BodyStore | null
  /** Derived for `BODIES`. */
  key: Buffer
  read: ReadPackedBody
}

interface BodiesDeps {
  config: Config
  /** The installation's master key. */
  secret: Buffer
  db: Db
  log: Log
  onStore?: OnStore
}

export function openBodies({ config, secret, db, log, onStore = () => {} }: BodiesDeps): Bodies {
  const plain = openBodyStore(config)
  const store = plain === null ? null : observeStore(plain, onStore)
  const key = deriveKey(secret, BODIES)
  return { store, key, read: createReadBody({ db, store, key, log }) }
}

/** Measures the operations of the store. */
export function timeStore(registry: Registry): OnStore {
  const seconds = new Histogram({
    name: 'sendwright_body_store_seconds',
    help: 'Duration of operations of the store of bodies, by operation and result.',
    labelNames: ['operation', 'result'],
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10, 60],
    registers: [registry],
  })
  return (operation, duration, isFailed) =>
    seconds.observe({ operation, result: isFailed ? 'error' : 'ok' }, duration)
}

import { Counter, type Registry } from 'prom-client'
import { PackRound } from '../../bodies/packing/pack-round.ts'
import type { Runtime } from '../runtime.ts'

const PACK_MS = 5 * 60_000

/** Returns the round that packs bodies and the pause between two, or null when bodies stay in PostgreSQL. */
export function createPackRound({ bodies, pools, clock, log, config, metrics }: Runtime) {
  const { store, key } = bodies
  const { bodiesAfterMs: afterMs } = config
  if (store === null) return null
  const deps = { db: pools.engine, clock, log, store, key, afterMs, onPacked: countPacked(metrics.registry) }
  return { round: new PackRound(deps), everyMs: Math.min(PACK_MS, afterMs) }
}

function countPacked(
  registry: Registry,
): (packed: { bodies: number; plainBytes: number; bytes: number }) => void {
  const bodies = new Counter({
    name: 'sendwright_bodies_packed_total',
    help: 'Messages moved from PostgreSQL to the store of bodies.',
    registers: [registry],
  })
  const bytes = new Counter({
    name: 'sendwright_bodies_packed_bytes_total',
    help: 'Size of moved messages, before (message) and after (packed) compression.',
    labelNames: ['form'],
    registers: [registry],
  })
  return (packed) => {
    bodies.inc(packed.bodies)
    bytes.inc({ form: 'message' }, packed.plainBytes)
    bytes.inc({ form: 'packed' }, packed.bytes)
  }
}

import { hostname } from 'node:os'
import { repeat } from '../lib/async/repeat.ts'
import { cutToBytes, escapeControls } from '../lib/text/foreign-text.ts'
import { VERSION } from '../lib/version.ts'
import { forgetNode, writeNode } from '../operator/nodes-queries.ts'
import type { Runtime } from './runtime.ts'

const EVERY_MS = 5000
/** A process that died without a word is shown as silent for so long. */
const FORGET_MS = 3_600_000
const HOST_BYTES_MAX = 255

/** Tells operators that this process is at work. Whoever cannot say so works on all the same. */
export function startHeartbeat(
  { pools, clock, log, nodeId, lifecycle }: Runtime,
  roles: readonly string[],
  delivery: { heldCount: number } | null,
): void {
  const { engine: db } = pools
  const startedAt = clock.now()
  const host = cutToBytes(escapeControls(hostname()), HOST_BYTES_MAX)
  const say = () => {
    const now = clock.now()
    const node = {
      id: nodeId,
      host,
      processId: process.pid,
      roles,
      version: VERSION,
      startedAt,
      deliveriesHeld: delivery?.heldCount ?? null,
      memoryBytes: process.memoryUsage.rss(),
    }
    return writeNode(db, node, now, new Date(now.getTime() - FORGET_MS))
  }
  const beat = repeat('tell that it is at work', EVERY_MS, say, log)
  lifecycle.add('heartbeat', async () => {
    await beat.stop()
    await forgetNode(db, nodeId).catch((error: unknown) =>
      log.debug({ err: error }, 'a process could not take its leave; it is forgotten soon'),
    )
  })
}

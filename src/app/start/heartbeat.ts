import { hostname } from 'node:os'
import { repeat } from '../../lib/async/repeat.ts'
import { cutToBytes, escapeControls } from '../../lib/text/foreign-text.ts'
import { VERSION } from '../../lib/version.ts'
import { deleteNode, writeNode } from '../../operator/nodes-queries.ts'
import type { Runtime } from '../runtime.ts'

const INTERVAL_MS = 5000
/** A process that died is listed as silent for this long. */
const FORGET_MS = 3_600_000
const HOST_BYTES_MAX = 255

/** Reports to operators that this process is running. A failure does not affect other work. */
export function startHeartbeat(
  { pools, clock, log, nodeId, lifecycle }: Runtime,
  roles: readonly string[],
  delivery: { heldCount: number } | null,
): void {
  const { engine: db } = pools
  const startedAt = clock.now()
  const host = cutToBytes(escapeControls(hostname()), HOST_BYTES_MAX)
  const report = () => {
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
  const beat = repeat('report this process', INTERVAL_MS, report, log)
  lifecycle.add('heartbeat', async () => {
    await beat.stop()
    await deleteNode(db, nodeId).catch((error: unknown) =>
      log.debug({ err: error }, 'this process could not remove its node record, which expires soon'),
    )
  })
}

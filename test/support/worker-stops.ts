import { mkdirSync, readdirSync, rmdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

type Stop = () => Promise<void>

/** Vitest loads the environment and the test files as separate modules, which have only the global object in common. */
const shared = globalThis as { workerStops?: Stop[] }
shared.workerStops ??= []
const stops = shared.workerStops

/** A worker with something to stop has a folder of this name and its process id in the temporary directory of the run. */
const PREFIX = 'worker-'
const folderOfWorker = () => join(tmpdir(), `${PREFIX}${process.pid}`)
const POLL_MS = 50
/** Less than `teardownTimeout` of the configurations. */
const STOP_LIMIT_MS = 60_000

/** Calls `stop` when the worker has run its last file. */
export function stopWithWorker(stop: Stop): void {
  if (stops.length === 0) mkdirSync(folderOfWorker())
  stops.push(stop)
}

/** Stops what files of this worker shared, the newest first. */
export async function stopAll(): Promise<void> {
  if (stops.length === 0) return
  for (const stop of stops.splice(0).reverse()) await stop()
  rmdirSync(folderOfWorker())
}

/** Waits until all workers have stopped what they shared: Vitest ends a run while its last worker still does. */
export async function waitForWorkers(): Promise<void> {
  const deadlineMs = performance.now() + STOP_LIMIT_MS
  const isStopping = () => readdirSync(tmpdir()).some((name) => name.startsWith(PREFIX))
  while (isStopping() && performance.now() < deadlineMs) await pause(POLL_MS)
}

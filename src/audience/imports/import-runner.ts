import { createSignal } from '../../lib/async/signal.ts'
import { deleteImport, findUnneededImports } from './imports-queries.ts'
import { type ImportDeps, runNextImport } from './run-import.ts'

/** The interval at which a process looks for imports that another process abandoned. */
const POLL_MS = 5_000
const DAY_MS = 86_400_000
const KEPT_DAYS = 30

export interface ImportRunner {
  /** Wakes the runner after an import was accepted. */
  wake(): void
  /** Waits for the current batch of rows. Another process continues with the rest. */
  stop(): Promise<void>
}

/** Runs the imports of all teams, one at a time in this process, until stopped. */
export function startImportRunner(deps: ImportDeps): ImportRunner {
  const signal = createSignal()
  const stopping = new AbortController()

  async function runAll(): Promise<void> {
    while (!stopping.signal.aborted) {
      const ran = await runNextImport(deps, stopping.signal).catch((error: unknown) => {
        deps.log.warn({ err: error }, 'an import was interrupted and will be resumed')
        return false
      })
      if (!ran && !stopping.signal.aborted) await signal.wait(POLL_MS)
    }
  }

  const run = runAll()
  return {
    wake: () => signal.notify(),
    async stop() {
      stopping.abort()
      signal.notify()
      await run
    },
  }
}

/**
 * Deletes up to `countMax` imports: abandoned uploads, and imports that ended 30 days ago. Returns the number of
 * deleted imports.
 */
export async function sweepImports(
  { db, clock }: Pick<ImportDeps, 'db' | 'clock'>,
  countMax: number,
): Promise<number> {
  const now = clock.now()
  const endedBefore = new Date(now.getTime() - KEPT_DAYS * DAY_MS)
  return db.transaction(async (tx) => {
    const unneeded = await findUnneededImports(tx, endedBefore, countMax, now)
    for (const one of unneeded) await deleteImport(tx, one)
    return unneeded.length
  })
}

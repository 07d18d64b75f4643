import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import type { TestProject } from 'vitest/node'
import { openDb } from '../../../src/db/db.ts'
import { startEmbeddedPostgres } from '../../../src/db/embedded/embedded-postgres.ts'
import { migrate } from '../../../src/db/migrations/migrate.ts'
import { createLog } from '../../../src/lib/log.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** A data directory whose cluster is initialized and migrated. Only journeys have it. */
    journeyDataDir?: string
  }
}

/**
 * Initializes and migrates a cluster once for the run, which costs three seconds of the processor. `first-start` and `packed`
 * prove that a server does this itself.
 */
export async function setup(project: TestProject): Promise<() => void> {
  const directory = mkdtempSync(join(tmpdir(), 'cluster-'))
  // PostgreSQL runs under another account when this process is root.
  chmodSync(directory, 0o755)
  const dataDir = join(directory, 'data')
  const postgres = await startEmbeddedPostgres({
    dataDir,
    log: createLog('warn'),
    settings: { fsync: 'off' },
  })
  const db = openDb(postgres.url, { connectionsMax: 1, timeoutMs: 60_000, name: 'journeys' })
  await migrate(db, new Date()).finally(() => db.close())
  await postgres.stop()
  project.provide('journeyDataDir', dataDir)
  return () => rmSync(directory, { recursive: true, force: true })
}

/** Copies the cluster of the run, with its password, into a data directory. Returns false if the run has none. */
export function copyCluster(dataDir: string): boolean {
  const source = inject('journeyDataDir')
  if (source === undefined) return false
  mkdirSync(dataDir, { recursive: true })
  // Unlike cp of Node.js, it keeps the owner.
  execFileSync('cp', ['-a', `${source}/.`, dataDir])
  return true
}

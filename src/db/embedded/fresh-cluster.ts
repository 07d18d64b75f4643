import { existsSync } from 'node:fs'
import { open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { CannotStart } from '../../lib/cannot-start.ts'
import type { Log } from '../../lib/log.ts'
import { giveToOwnerOf } from '../../lib/owner.ts'
import { lockDataDir, makeDataDir } from './data-dir.ts'
import { clearPostmaster, clusterDirOf, passwordFileOf } from './embedded-cluster.ts'
import { startEmbeddedPostgres } from './embedded-postgres.ts'

const BUILDING = 'restoring.'

/**
 * A new embedded database in a data directory that has none, for `work`. It is built beside its place and moved there when
 * `work` has succeeded and PostgreSQL has ended in order: whatever fails or is killed, the directory has no database.
 * Throws CannotStart.
 */
export async function withFreshCluster<T>(
  dataDir: string,
  log: Log,
  work: (url: string) => Promise<T>,
): Promise<T> {
  await makeDataDir(dataDir)
  const unlock = await lockDataDir(dataDir, 'command')
  const building = join(dataDir, `${BUILDING}${process.pid}`)
  try {
    if (existsSync(clusterDirOf(dataDir))) {
      throw new CannotStart(
        `The data directory ${dataDir} has a database already: restore into an empty one (SENDWRIGHT_DATA_DIR), or move it away.`,
      )
    }
    await clearBrokenOff(dataDir)
    const postgres = await startEmbeddedPostgres({ dataDir: building, log, purpose: 'command' })
    const result = await work(postgres.url).finally(() => postgres.stop())
    await moveIn(building, dataDir)
    return result
  } finally {
    await rm(building, { recursive: true, force: true })
    unlock()
  }
}

/** What a restore that was killed has left, with its PostgreSQL, which may still run. */
async function clearBrokenOff(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (!name.startsWith(BUILDING)) continue
    await clearPostmaster(clusterDirOf(join(dataDir, name)))
    await rm(join(dataDir, name), { recursive: true, force: true })
  }
}

/** The cluster last: without it a password opens nothing, and a new one is made. */
async function moveIn(building: string, dataDir: string): Promise<void> {
  await rename(passwordFileOf(building), passwordFileOf(dataDir))
  await rename(clusterDirOf(building), clusterDirOf(dataDir))
  giveToOwnerOf(dataDir, passwordFileOf(dataDir))
  const directory = await open(dataDir)
  await directory.sync().finally(() => directory.close())
}

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
 * Creates an embedded database for `work` in a data directory that has none. It is built under another name and moved
 * into place after `work` has succeeded and PostgreSQL has shut down. If anything fails or is killed, the directory
 * has no database. Throws CannotStart.
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
        `The data directory ${dataDir} already has a database. Restore into an empty directory (SENDWRIGHT_DATA_DIR), or move the database away.`,
      )
    }
    await clearInterrupted(dataDir)
    const postgres = await startEmbeddedPostgres({ dataDir: building, log, purpose: 'command' })
    const result = await work(postgres.url).finally(() => postgres.stop())
    await moveIn(building, dataDir)
    return result
  } finally {
    await rm(building, { recursive: true, force: true })
    unlock()
  }
}

/** Removes the remains of a killed restore, and stops its PostgreSQL, which may still run. */
async function clearInterrupted(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (!name.startsWith(BUILDING)) continue
    await clearPostmaster(clusterDirOf(join(dataDir, name)))
    await rm(join(dataDir, name), { recursive: true, force: true })
  }
}

/** Moves the cluster last: without it, the password is useless and is created again. */
async function moveIn(building: string, dataDir: string): Promise<void> {
  await rename(passwordFileOf(building), passwordFileOf(dataDir))
  await rename(clusterDirOf(building), clusterDirOf(dataDir))
  giveToOwnerOf(dataDir, passwordFileOf(dataDir))
  const directory = await open(dataDir)
  await directory.sync().finally(() => directory.close())
}

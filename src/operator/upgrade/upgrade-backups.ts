import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { giveToOwnerOf } from '../../lib/owner.ts'

/** The folder in the data directory, and the form of names in it. */
const FOLDER = 'backups'
const NAME = /^before-[^-]+-(?<first>.*)\.backup$/
/** Lists the backups of an upgrade that has not succeeded yet, one a line, the oldest first. */
const UNFINISHED_FILE = 'unfinished-upgrade'
/** The number of backups to keep after an upgrade. */
const KEPT_COUNT = 2

/**
 * Returns the path of a new backup of the database as it is before the migration `first`. Makes the folder.
 */
export function placeUpgradeBackup(dataDir: string, first: string, now: Date): string {
  const folder = join(dataDir, FOLDER)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  giveToOwnerOf(dataDir, folder)
  // The time comes first, so that names sort by age.
  const time = now.toISOString().replaceAll(/[-:]|\.\d+/g, '')
  return join(folder, `before-${time}-${first.replace(/\.sql$/, '')}.backup`)
}

/**
 * Records that an upgrade begins or goes on with this backup. Of repeated attempts at the same migration only the last
 * backup remains, so that a server that restarts again and again does not fill the disk, or push out the backup from
 * before the first migration: only that one can be restored with the old version.
 */
export function beginUpgrade(dataDir: string, name: string): void {
  const folder = join(dataDir, FOLDER)
  const unfinished = readUnfinished(dataDir)
  const last = unfinished.at(-1)
  const isRepeated = last !== undefined && firstOf(last) === firstOf(name)
  const path = join(folder, UNFINISHED_FILE)
  const names = [...(isRepeated ? unfinished.slice(0, -1) : unfinished), name]
  writeFileSync(path, `${names.join('\n')}\n`, { mode: 0o600, flush: true })
  giveToOwnerOf(dataDir, path)
  if (isRepeated && last !== name) rmSync(join(folder, last), { force: true })
}

/** Returns the path of the backup from before an upgrade that has begun and not succeeded. */
export function wayBack(dataDir: string): string {
  return join(dataDir, FOLDER, readUnfinished(dataDir)[0] ?? '')
}

/**
 * Records that the upgrade has succeeded. Deletes all backups but the newest ones and the one from before this upgrade.
 * Does nothing when no upgrade is unfinished.
 */
export function endUpgrade(dataDir: string): void {
  const [oldest] = readUnfinished(dataDir)
  if (oldest === undefined) return
  const folder = join(dataDir, FOLDER)
  const all = readdirSync(folder).filter((name) => NAME.test(name))
  for (const name of all.sort().slice(0, -KEPT_COUNT)) {
    if (name !== oldest) rmSync(join(folder, name), { force: true })
  }
  rmSync(join(folder, UNFINISHED_FILE), { force: true })
}

function readUnfinished(dataDir: string): string[] {
  try {
    const text = readFileSync(join(dataDir, FOLDER, UNFINISHED_FILE), 'utf8')
    // Only names of backups, because they are deleted.
    return text.split('\n').filter((name) => NAME.test(name) && !name.includes('/'))
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return []
    throw error
  }
}

function firstOf(name: string): string | undefined {
  return NAME.exec(name)?.groups?.first
}

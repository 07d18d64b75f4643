import { open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { placeOfProcesses, startOfProcess } from '../../lib/processes.ts'
import { JOURNAL_END } from './journal.ts'
import {
  type JournalEntry,
  type JournalHeader,
  LINE_BYTES_MAX,
  readEntry,
  readJournalHeader,
} from './journal-format.ts'

/** A journal whose process is gone. */
export interface LeftJournal {
  path: string
  node: string
  /** Whether its process has certainly ended; otherwise it is elsewhere, and silent. */
  isDead: boolean
  entries: JournalEntry[]
  /** Lines that could not be parsed. */
  badCount: number
}

export interface LeftJournals {
  left: LeftJournal[]
  /** Journals that were skipped, because they are unreadable or belong to another installation. */
  skipped: { path: string; why: string }[]
}

/** Files read per pass. Any others wait for the next. */
const FILES_MAX = 100
/** The maximum size of a journal (journal.ts): twice 4,000 lines with the longest reply. */
const FILE_BYTES_MAX = 32 * 1024 * 1024
/**
 * A process in another container or on another machine counts as gone after this time without a change to its file. A
 * living process touches its file every five seconds. The leases of a dead one last for at least forty seconds.
 */
const SILENT_MS = 30_000
/** Longer than Sendwright retries any email: older entries are obsolete. */
const KEPT_MS = 6 * 24 * 3_600_000
/** Older `.new` files are abandoned: a process writes and renames one within moments. */
const UNFINISHED_MS = 60_000

/**
 * Returns the journals in `directory` whose processes ended without settling their entries, never those of living
 * processes or of another installation. Removes journals too old to matter.
 */
export async function findLeftJournals(
  directory: string,
  own: Pick<JournalHeader, 'node' | 'installation'>,
  nowMs: number,
): Promise<LeftJournals> {
  const journals: LeftJournals = { left: [], skipped: [] }
  for (const name of (await namesIn(directory)).slice(0, FILES_MAX)) {
    const path = join(directory, name)
    if (name.startsWith(own.node)) continue
    try {
      await inspect(path, own.installation, nowMs, journals)
    } catch (error) {
      const { code = 'unknown' } = error as NodeJS.ErrnoException
      // ENOENT: another process has settled and removed it in the meantime.
      if (code !== 'ENOENT') journals.skipped.push({ path, why: `it cannot be read (${code})` })
    }
  }
  return journals
}

async function namesIn(directory: string): Promise<string[]> {
  try {
    const names = await readdir(directory)
    return names.filter((name) => name.endsWith(JOURNAL_END) || name.endsWith(`${JOURNAL_END}.new`)).sort()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

async function inspect(
  path: string,
  installation: string,
  nowMs: number,
  journals: LeftJournals,
): Promise<void> {
  const { mtimeMs } = await stat(path)
  const silentMs = nowMs - mtimeMs
  if (path.endsWith('.new')) {
    if (silentMs > UNFINISHED_MS) await rm(path, { force: true })
    return
  }
  const header = readJournalHeader((await readStart(path, LINE_BYTES_MAX)).split('\n', 1)[0] ?? '')
  if (header?.installation === installation) {
    const isDead = hasEnded(header)
    if (isDead ?? silentMs > SILENT_MS)
      journals.left.push(await readJournal(path, header.node, isDead === true))
  } else if (silentMs > KEPT_MS) {
    await rm(path, { force: true })
  } else {
    const why = header === null ? 'its first line cannot be read' : 'it belongs to another database'
    journals.skipped.push({ path, why })
  }
}

/** Returns whether the process of a journal has ended; null if it cannot be seen from here. */
function hasEnded({ pid, start, place }: JournalHeader): boolean | null {
  if (place !== placeOfProcesses()) return null
  const now = startOfProcess(pid)
  return now === null || (start !== null && now !== start)
}

async function readJournal(path: string, node: string, isDead: boolean): Promise<LeftJournal> {
  const lines = (await readStart(path, FILE_BYTES_MAX)).split('\n')
  // The last element is empty, or a truncated line.
  const stored = lines.slice(1).filter((line) => line !== '')
  const entries = stored.map(readEntry).filter((entry) => entry !== null)
  return { path, node, isDead, entries, badCount: stored.length - entries.length }
}

async function readStart(path: string, bytesMax: number): Promise<string> {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    const bytes = Buffer.alloc(Math.min(size, bytesMax))
    const { bytesRead } = await file.read(bytes, 0, bytes.length, 0)
    return bytes.toString('utf8', 0, bytesRead)
  } finally {
    await file.close()
  }
}

import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import { makeDataDir } from '../db/embedded/data-dir.ts'
import { readBirth } from '../db/migrations/migrate.ts'
import type { SettleDeps } from '../delivery/settle/settle-deliveries.ts'
import { createLeftSettler } from '../delivery/settle/settle-left.ts'
import type { Report } from '../delivery/sites/outcomes.ts'
import { repeat } from '../lib/async/repeat.ts'
import { placeOfProcesses, startOfProcess } from '../lib/processes.ts'
import { entryOf, Journal } from '../queue/journal/journal.ts'
import type { Runtime } from './runtime.ts'

const FOLDER = 'journals'
/**
 * Each beat touches the journal. After six missed beats, a process in another container or on another machine counts as
 * gone (queue/journal/left-journals.ts).
 */
const BEAT_MS = 5000

export interface ReportJournal {
  /** Records a report. Call it before processing the report. */
  note(report: Report): void
  /** Removes the entry of a settled report. */
  forget(report: Report): void
}

/** Finds the journals of this installation. `settleLeft` settles those of processes that are gone. */
export async function findJournals({ dataDir }: Config, settling: SettleDeps) {
  const header = {
    node: settling.nodeId,
    pid: process.pid,
    start: startOfProcess(process.pid),
    place: placeOfProcesses(),
    installation: await readBirth(settling.db),
  }
  const directory = join(dataDir, FOLDER)
  return { directory, header, settleLeft: createLeftSettler(settling, directory, header) }
}

/**
 * Opens the journal of this process (docs/adr/0017-journal-of-deliveries.md). Settles the journals that other
 * processes left, first before this resolves and then regularly. A failure never prevents the start.
 */
export async function openReportJournal(
  { config, lifecycle }: Runtime,
  settling: SettleDeps,
): Promise<ReportJournal> {
  const { clock, log } = settling
  // Ignored here, because the journal reports that it cannot be created.
  await makeDataDir(config.dataDir).catch(() => {})
  const { directory, header, settleLeft } = await findJournals(config, settling)
  await settleLeft().catch((error: unknown) =>
    log.warn({ err: error }, 'the journals left by other processes could not be settled and will be retried'),
  )
  const journal = new Journal(directory, header, log)
  const beat = async () => {
    journal.beat(clock.now().getTime())
    await settleLeft()
  }
  const beats = repeat('settle left journals', BEAT_MS, beat, log)
  lifecycle.add('journal', async () => {
    await beats.stop()
    journal.close()
  })
  return {
    note(report) {
      if (report.kind !== 'attempted') return
      const entry = entryOf(report.result, report.isRelay === true)
      if (entry !== null) journal.note(entry)
    },
    forget(report) {
      if (report.kind === 'attempted') journal.forget(report.result.delivery)
    },
  }
}

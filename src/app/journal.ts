import { join } from 'node:path'
import { makeDataDir } from '../db/embedded/data-dir.ts'
import { readBirth } from '../db/migrate.ts'
import type { Report, SettleDeps } from '../delivery/settle/settle-deliveries.ts'
import { createLeftSettler } from '../delivery/settle/settle-left.ts'
import { repeat } from '../lib/async/repeat.ts'
import { placeOfProcesses, startOfProcess } from '../lib/processes.ts'
import { entryOf, Journal } from '../queue/journal/journal.ts'
import type { Runtime } from './runtime.ts'

const FOLDER = 'journals'
/** Six beats make the silence after which a process that cannot be seen counts as gone (queue/journal/left-journals.ts). */
const BEAT_MS = 5000

export interface ReportJournal {
  /** Call it before anything else is done with the report. */
  note(report: Report): void
  /** It is settled. */
  forget(report: Report): void
}

/**
 * The journal of this process (docs/adr/0017-journal-of-deliveries.md). What others left in theirs is settled before this
 * resolves, and from then on as soon as one more is gone. Nothing of it can keep a process from starting.
 */
export async function openReportJournal(
  { config, lifecycle }: Runtime,
  settling: SettleDeps,
): Promise<ReportJournal> {
  const { clock, log, db, nodeId } = settling
  // Where it cannot be made, the journal says so.
  await makeDataDir(config.dataDir).catch(() => {})
  const header = {
    node: nodeId,
    pid: process.pid,
    start: startOfProcess(process.pid),
    place: placeOfProcesses(),
    installation: await readBirth(db),
  }
  const directory = join(config.dataDir, FOLDER)
  const settleLeft = createLeftSettler(settling, directory, header)
  await settleLeft().catch((error: unknown) =>
    log.warn(
      { err: error },
      'what others left in their journals could not be settled; it will be tried again',
    ),
  )
  const journal = new Journal(directory, header, log)
  const beat = async () => {
    journal.beat(clock.now().getTime())
    await settleLeft()
  }
  const beats = repeat('settle what others left', BEAT_MS, beat, log)
  lifecycle.add('journal', async () => {
    await beats.stop()
    journal.close()
  })
  return {
    note(report) {
      if (report.kind !== 'tried') return
      const entry = entryOf(report.result, report.isRelay === true)
      if (entry !== null) journal.note(entry)
    },
    forget(report) {
      if (report.kind === 'tried') journal.forget(report.result.delivery)
    },
  }
}

import { rm } from 'node:fs/promises'
import { verdictOf } from '../../classification/classify.ts'
import { DatabaseUnavailable } from '../../db/db-types.ts'
import { notify } from '../../db/listen.ts'
import type { JournalEntry, JournalHeader } from '../../queue/journal/journal-format.ts'
import { findLeftJournals, type LeftJournal } from '../../queue/journal/left-journals.ts'
import { releaseLeasesOf } from '../../queue/lease-queries.ts'
import { findOpenDeliveries } from '../../queue/open-deliveries-queries.ts'
import type { DueDelivery } from '../../queue/types.ts'
import type { Report } from '../sites/outcomes.ts'
import { type SettleDeps, settleReports } from './settle-deliveries.ts'

const BATCH_COUNT_MAX = 500
/** Replaces the transcript, which was lost with its process. */
const LOST = 'The process ended before it stored the transcript. Its journal holds only this reply.'

/**
 * Settles and removes the journals of dead processes, and releases their leases. Safe to call repeatedly, and cheap when
 * there are none. Rejects with DatabaseUnavailable; no journal is removed then.
 */
export function createLeftSettler(
  deps: SettleDeps,
  directory: string,
  ownHeader: JournalHeader,
): () => Promise<void> {
  const logged = new Set<string>()

  /** Logs once per file while this process runs. */
  function logOnce(path: string, why: string): void {
    if (logged.has(path)) return
    logged.add(path)
    deps.log.warn({ path, why }, 'skipped a delivery journal')
  }

  return async () => {
    const journals = await findLeftJournals(directory, ownHeader, deps.clock.now().getTime())
    for (const { path, why } of journals.skipped) logOnce(path, why)
    for (const journal of journals.left) {
      const count = await settleEntries(deps, journal.entries)
      const { path, node, badCount } = journal
      if (badCount > 0) logOnce(path, `${badCount} of its lines could not be read`)
      const released = journal.isDead ? await release(deps, node) : 0
      await rm(path, { force: true })
      deps.log.info({ node_gone: node, count, released }, 'settled the deliveries of a killed process')
    }
  }
}

/**
 * Makes the other deliveries of a dead process ready. What a commit leases to it later expires. Returns the number of
 * deliveries.
 */
async function release({ db, clock }: SettleDeps, node: string): Promise<number> {
  const count = await releaseLeasesOf(db, node, clock.now())
  if (count > 0) await notify(db, 'sendwright_due')
  return count
}

/** Returns how many were still open. */
async function settleEntries(deps: SettleDeps, entries: LeftJournal['entries']): Promise<number> {
  let count = 0
  for (let at = 0; at < entries.length; at += BATCH_COUNT_MAX) {
    const reports = await reportsOf(deps, entries.slice(at, at + BATCH_COUNT_MAX))
    count += reports.length
    await settleAll(deps, reports)
  }
  return count
}

/**
 * A server accepted the message, so the delivery is final even if another process leases, retried or deferred the row.
 * Rows that are already final stay unchanged.
 */
async function reportsOf(deps: SettleDeps, entries: readonly JournalEntry[]): Promise<Report[]> {
  const byKey = new Map(entries.map((entry) => [`${entry.emailId}/${entry.no}`, entry]))
  const open = await findOpenDeliveries(deps.db, entries, deps.clock.now())
  return open.flatMap((delivery) => {
    const entry = byKey.get(`${delivery.emailId}/${delivery.no}`)
    return entry === undefined ? [] : [reportOf(delivery, entry)]
  })
}

function reportOf(delivery: DueDelivery, entry: JournalEntry): Report {
  // Another process may have made attempts since: number this one after those.
  const attempts = Math.max(delivery.attempts, entry.attempt - 1)
  const { smtpCode, enhancedCode, response, durationMs } = entry
  const reply = [smtpCode, enhancedCode, response].filter((part) => part !== null && part !== '').join(' ')
  return {
    kind: 'attempted',
    isRelay: entry.state === 'sent',
    result: {
      delivery: { ...delivery, attempts },
      verdict: verdictOf('accepted', 'delivered'),
      startedAt: new Date(entry.startedAtMs),
      durationMs,
      smtpCode,
      enhancedCode,
      response,
      mxHost: entry.mxHost,
      mxAddress: entry.mxAddress,
      sourceAddress: entry.sourceAddress,
      tls: entry.tls,
      signedAs: entry.signedAs,
      transcript: [
        { at: durationMs, who: 'S', text: reply },
        { at: durationMs, who: '*', text: LOST },
      ],
    },
  }
}

/**
 * A report that cannot be written because of its content is dropped, so that it blocks nothing; the email is sent
 * again, as without a journal.
 */
async function settleAll(deps: SettleDeps, reports: readonly Report[]): Promise<void> {
  if (reports.length === 0) return
  try {
    await settleReports(deps, reports)
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw error
    if (reports.length > 1) {
      for (const report of reports) await settleAll(deps, [report])
    } else {
      deps.log.error({ err: error }, 'could not settle a delivery from a journal')
    }
  }
}

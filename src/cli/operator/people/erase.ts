import { createInterface } from 'node:readline/promises'
import { Command } from 'commander'
import { ApiError } from '../../../lib/api-error.ts'
import { createHashAddress, type HashAddress } from '../../../lib/crypto/erased-address.ts'
import { newId } from '../../../lib/ids.ts'
import { createLog } from '../../../lib/log.ts'
import { beginErasure } from '../../../privacy/erasure/begin-erasure.ts'
import { type Erasure, findErasure } from '../../../privacy/erasure/erasures-queries.ts'
import { runErasure } from '../../../privacy/erasure/run-erasure.ts'
import type { PersonTraces } from '../../../privacy/erasure/survey-person-queries.ts'
import { createOutput } from '../../developer/output.ts'
import { readId } from '../installation/arguments.ts'
import {
  asOperator,
  type Installation,
  openInstallationSecret,
  withInstallation,
} from '../installation/installation.ts'
import { findTraces, readPerson } from './person.ts'

const POLL_MS = 200

interface Options {
  team?: string
  keepSuppressed?: boolean
  yes?: boolean
  json?: boolean
}

export function eraseCommand(): Command {
  return new Command('erase')
    .description('erase all data of a person, for all teams or one; this cannot be undone')
    .argument('<address>', 'the email address of the person', readPerson)
    .option('--team <id>', 'only for this team', readId)
    .option('--keep-suppressed', 'suppress the address from now on, even if it was not suppressed')
    .option('--yes', 'do not ask for confirmation')
    .option('--json', 'print JSON')
    .action(async (address: string, options: Options) => {
      const erasures = await withInstallation((installation) => eraseAll(installation, address, options))
      createOutput(options).rows(erasures, ['team_id', 'status', 'emails', 'waiting_emails'])
    })
}

async function eraseAll(installation: Installation, address: string, options: Options) {
  const hashAddress = createHashAddress(await openInstallationSecret(installation))
  const traces = await findTraces(installation, hashAddress, address, options.team)
  printProgress(describeTraces(traces))
  if (traces.length > 0 && options.yes !== true) await confirmErasure(traces)
  const erasures = []
  for (const { teamId } of traces) {
    erasures.push(await eraseOne(installation, hashAddress, { teamId, address }, options))
  }
  return erasures
}

/** Describes the data to be erased. Printed on standard error, because standard output contains only the result. */
function describeTraces(traces: readonly PersonTraces[]): string {
  if (traces.length === 0) return 'No data was found for this address.'
  const lines = traces.map((trace) =>
    [
      `${trace.teamName} (${trace.teamId}):`,
      `${trace.contacts} contact rows,`,
      `${trace.emails} emails to them (${trace.openEmails} undelivered, which are canceled),`,
      `${trace.sentEmails} emails from them,`,
      `${trace.suppressions} suppressions and ${trace.unsubscriptions} unsubscriptions, which remain as hashes,`,
      `${trace.events} events of contacts and suppressions`,
    ].join(' '),
  )
  return ['This data will be erased:', ...lines].join('\n')
}

function printProgress(text: string): void {
  process.stderr.write(`${text}\n`)
}

async function confirmErasure(traces: readonly PersonTraces[]): Promise<void> {
  if (!process.stdin.isTTY) {
    throw new ApiError('bad_request', 'Nothing was erased. Pass --yes to erase without confirmation.')
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await terminal.question(`Erase the data of ${traces.length} team(s) permanently? (yes/no) `)
  terminal.close()
  if (answer.trim().toLowerCase() !== 'yes') throw new ApiError('bad_request', 'Nothing was erased.')
}

/**
 * Runs the erasure here, or waits if the server is already running it. If this process is killed, the server
 * continues.
 */
async function eraseOne(
  installation: Installation,
  hashAddress: HashAddress,
  { teamId, address }: { teamId: string; address: string },
  { keepSuppressed = false }: Options,
) {
  const { db, clock } = installation
  const audited = asOperator(installation, teamId, 'contacts.erase')
  const erasure = await beginErasure(
    { db: audited.db, clock, hashAddress },
    { teamId, address, keepSuppressed },
  )
  const log = createLog('error', process.stderr)
  const deps = { db, clock, log, nodeId: newId(), hashAddress, stopping: new AbortController().signal }
  let now: Erasure | null = erasure
  let printedEmails = 0
  while (now !== null && now.address !== null) {
    if (!(await runErasure(deps, erasure))) await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    now = await findErasure(db, teamId, erasure.id)
    if (now !== null && now.emails > printedEmails) printProgress(`${now.emails} emails erased`)
    printedEmails = now?.emails ?? printedEmails
  }
  const waiting = now?.waiting ?? 0
  return {
    object: 'erasure',
    id: erasure.id,
    team_id: teamId,
    status: waiting > 0 ? 'waiting' : 'completed',
    emails: now?.emails ?? 0,
    waiting_emails: waiting,
  }
}

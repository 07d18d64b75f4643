import { createInterface } from 'node:readline/promises'
import { Command } from 'commander'
import { ApiError } from '../../lib/api-error.ts'
import type { HashAddress } from '../../lib/crypto/erased-address.ts'
import { newId } from '../../lib/ids.ts'
import { createLog } from '../../lib/log.ts'
import { beginErasure } from '../../privacy/erasure/begin-erasure.ts'
import { type Erasure, findErasure } from '../../privacy/erasure/erasures-queries.ts'
import { runErasure } from '../../privacy/erasure/run-erasure.ts'
import type { PersonTraces } from '../../privacy/erasure/survey-person-queries.ts'
import { readId } from '../arguments.ts'
import { asOperator, type Installation, withInstallation } from '../installation/installation.ts'
import { createOutput } from '../output.ts'
import { findTraces, openHashes, readPerson } from './person.ts'

const LOOK_MS = 200

interface Options {
  team?: string
  keepSuppressed?: boolean
  yes?: boolean
  json?: boolean
}

export function eraseCommand(): Command {
  return new Command('erase')
    .description('remove a person from everything that is kept, of all teams or one; there is no way back')
    .argument('<address>', 'whom', readPerson)
    .option('--team <id>', 'from this team only', readId)
    .option('--keep-suppressed', 'no mail to the address from then on, also where it was not suppressed')
    .option('--yes', 'do not ask')
    .option('--json', 'answer in JSON')
    .action(async (address: string, options: Options) => {
      const done = await withInstallation((installation) => eraseAll(installation, address, options))
      createOutput(options).rows(done, ['team_id', 'status', 'emails', 'waiting_emails'])
    })
}

async function eraseAll(installation: Installation, address: string, options: Options) {
  const hashAddress = await openHashes(installation)
  const traces = await findTraces(installation, hashAddress, address, options.team)
  say(createTable(traces))
  if (traces.length > 0 && options.yes !== true) await askToGoOn(traces)
  const done = []
  for (const { teamId } of traces) {
    done.push(await eraseOne(installation, hashAddress, { teamId, address }, options))
  }
  return done
}

/** What will go, for a person to read; the answer itself is all that is on standard output. */
function createTable(traces: readonly PersonTraces[]): string {
  if (traces.length === 0) return 'Nothing is known of this address.'
  const lines = traces.map((trace) =>
    [
      `${trace.teamName} (${trace.teamId}):`,
      `${trace.contacts} contact rows,`,
      `${trace.emails} emails to them (${trace.openEmails} still to be delivered, which are canceled),`,
      `${trace.sentEmails} emails from them,`,
      `${trace.suppressions} suppressions and ${trace.unsubscriptions} unsubscriptions, which stay as hashes`,
    ].join(' '),
  )
  return ['This will be removed:', ...lines].join('\n')
}

function say(text: string): void {
  process.stderr.write(`${text}\n`)
}

async function askToGoOn(traces: readonly PersonTraces[]): Promise<void> {
  if (!process.stdin.isTTY) {
    throw new ApiError('bad_request', 'Nothing was removed: say --yes to remove it without being asked.')
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await terminal.question(`Remove it from ${traces.length} teams for good? (yes/no) `)
  terminal.close()
  if (answer.trim().toLowerCase() !== 'yes') throw new ApiError('bad_request', 'Nothing was removed.')
}

/** Works it off here, unless the server was quicker: then waits for that. Killed, the server goes on. */
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
  const deps = { db, clock, log, nodeId: newId(), stopping: new AbortController().signal }
  let now: Erasure | null = erasure
  let saidEmails = 0
  while (now !== null && now.address !== null) {
    if (!(await runErasure(deps, erasure))) await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
    now = await findErasure(db, teamId, erasure.id)
    if (now !== null && now.emails > saidEmails) say(`${now.emails} emails erased`)
    saidEmails = now?.emails ?? saidEmails
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

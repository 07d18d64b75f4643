import { Command, InvalidArgumentError } from 'commander'
import { presentTime } from '../base/present-time.ts'
import { readDomainName } from '../operations/domain-name.ts'
import { listWaiting, type WaitingDelivery } from '../queue/waiting.ts'
import { readCount, readId } from './arguments.ts'
import { withInstallation } from './installation.ts'
import { createOutput } from './output.ts'

const COLUMNS = ['email_id', 'to', 'status', 'attempts', 'next_attempt_at', 'why']
const COUNT_DEFAULT = 100

interface Options {
  team?: string
  domain?: string
  limit: number
  json?: boolean
}

function present(waiting: WaitingDelivery, now: Date) {
  return {
    object: 'delivery',
    email_id: waiting.emailId,
    team_id: waiting.teamId,
    team: waiting.teamName,
    to: waiting.address,
    status: waiting.status,
    attempts: waiting.attempts,
    next_attempt_at: presentTime(waiting.dueAt),
    expires_at: presentTime(waiting.expiresAt),
    why: explain(waiting, now),
    category: waiting.category,
    smtp_code: waiting.smtpCode,
    response: waiting.response,
    mx_host: waiting.mxHost,
  }
}

/** One phrase: what it waits for. */
function explain(waiting: WaitingDelivery, now: Date): string {
  if (waiting.leasedUntil !== null && waiting.leasedUntil > now) return 'being delivered now'
  if (waiting.status === 'scheduled') return 'scheduled for later'
  if (waiting.attempts > 0) {
    const said = waiting.response ?? waiting.category ?? 'no reason was kept'
    return waiting.mxHost === null ? said : `${waiting.mxHost}: ${said}`
  }
  return waiting.dueAt > now
    ? `not due yet${waiting.category === null ? '' : ` (${waiting.category})`}`
    : 'its turn'
}

function readDomain(text: string): string {
  const name = readDomainName(text)
  if (name === null) throw new InvalidArgumentError('It is not a domain name.')
  return name
}

export function queueCommand(): Command {
  return new Command('queue')
    .description('show what waits to be delivered, for whom and why; the soonest first')
    .option('--team <id>', 'of this team only', readId)
    .option('--domain <name>', "to this recipients' domain only", readDomain)
    .option('--limit <count>', 'at most so many', readCount, COUNT_DEFAULT)
    .option('--json', 'answer in JSON')
    .action(async (options: Options) => {
      const rows = await withInstallation(async ({ db, clock }) => {
        const filter = { teamId: options.team ?? null, domain: options.domain ?? null }
        const waiting = await listWaiting(db, filter, options.limit)
        return waiting.map((row) => present(row, clock.now()))
      })
      createOutput(options).rows(rows, COLUMNS)
    })
}

import { Command, InvalidArgumentError } from 'commander'
import { readDomainName } from '../../../domains/domain-name.ts'
import { formatTime } from '../../../lib/time/format-time.ts'
import { failHeld, releaseHeld } from '../../../operator/restore/held-mail.ts'
import { HELD_UNTIL, RESTORED } from '../../../queue/restored-queries.ts'
import { listWaiting, type WaitingDelivery } from '../../../queue/waiting-queries.ts'
import { createOutput } from '../../developer/output.ts'
import { readCount, readId } from '../installation/arguments.ts'
import { type Installation, withInstallation } from '../installation/installation.ts'

const COLUMNS = ['email_id', 'to', 'status', 'attempts', 'next_attempt_at', 'why']
const COUNT_DEFAULT = 100

interface Options {
  team?: string
  domain?: string
  limit: number
  json?: boolean
}

function waitingToJson(waiting: WaitingDelivery, now: Date) {
  return {
    object: 'delivery',
    email_id: waiting.emailId,
    team_id: waiting.teamId,
    team: waiting.teamName,
    to: waiting.address,
    status: waiting.status,
    attempts: waiting.attempts,
    next_attempt_at: isHeld(waiting) ? null : formatTime(waiting.dueAt),
    expires_at: formatTime(waiting.expiresAt),
    why: explain(waiting, now),
    category: waiting.category,
    smtp_code: waiting.smtpCode,
    response: waiting.response,
    mx_host: waiting.mxHost,
  }
}

/** Describes in one phrase why a delivery is waiting. */
function explain(waiting: WaitingDelivery, now: Date): string {
  if (waiting.leasedUntil !== null && waiting.leasedUntil > now) return 'being delivered now'
  if (isHeld(waiting)) return 'held since a restore; release it or fail it'
  if (waiting.status === 'scheduled') return 'scheduled for later'
  if (waiting.attempts > 0) {
    const reason = waiting.response ?? waiting.category ?? 'no reason was recorded'
    return waiting.mxHost === null ? reason : `${waiting.mxHost}: ${reason}`
  }
  return waiting.dueAt > now
    ? `not due yet${waiting.category === null ? '' : ` (${waiting.category})`}`
    : 'ready to send'
}

const isHeld = ({ category, dueAt }: WaitingDelivery) => category === RESTORED && dueAt >= HELD_UNTIL

/** Creates `queue release` or `queue fail`, which act on mail that a restore put on hold. */
function heldCommand(
  name: string,
  description: string,
  work: (installation: Installation, teamId: string | null) => Promise<number>,
): Command {
  return new Command(name)
    .description(description)
    .requiredOption('--restored', 'the mail that a restore put on hold (required)')
    .option('--team <id>', 'only for this team', readId)
    .option('--json', 'print JSON')
    .action(async (_: unknown, command: Command) => {
      const { team, json } = command.optsWithGlobals<{ team?: string; json?: boolean }>()
      const count = await withInstallation((installation) => work(installation, team ?? null))
      createOutput({ json: json === true }).record({ object: 'queue', action: name, recipients: count })
    })
}

function readDomain(text: string): string {
  const name = readDomainName(text)
  if (name === null) throw new InvalidArgumentError('It must be a domain name.')
  return name
}

export function queueCommand(): Command {
  const release = heldCommand(
    'release',
    'send mail that a restore put on hold; emails delivered after the backup arrive a second time',
    ({ db, clock, config }, teamId) => releaseHeld(db, teamId, clock.now(), config.messageLifetimeMs),
  )
  const fail = heldCommand(
    'fail',
    'mark mail that a restore put on hold as failed, with an event for each recipient',
    ({ db, clock }, teamId) => failHeld(db, teamId, clock.now()),
  )
  return new Command('queue')
    .addCommand(release)
    .addCommand(fail)
    .description('list queued deliveries with their recipients and reasons, soonest first')
    .option('--team <id>', 'only for this team', readId)
    .option('--domain <name>', 'only for recipients at this domain', readDomain)
    .option('--limit <count>', 'maximum number of rows', readCount, COUNT_DEFAULT)
    .option('--json', 'print JSON')
    .action(async (options: Options) => {
      const rows = await withInstallation(async ({ db, clock }) => {
        const filter = { teamId: options.team ?? null, domain: options.domain ?? null }
        const waiting = await listWaiting(db, filter, options.limit)
        return waiting.map((row) => waitingToJson(row, clock.now()))
      })
      createOutput(options).rows(rows, COLUMNS)
    })
}

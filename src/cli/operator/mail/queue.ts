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

function waitingToJson(delivery: WaitingDelivery, now: Date) {
  return {
    object: 'delivery',
    email_id: delivery.emailId,
    team_id: delivery.teamId,
    team: delivery.teamName,
    to: delivery.address,
    status: delivery.status,
    attempts: delivery.attempts,
    next_attempt_at: isHeld(delivery) ? null : formatTime(delivery.dueAt),
    expires_at: formatTime(delivery.expiresAt),
    why: explain(delivery, now),
    category: delivery.category,
    smtp_code: delivery.smtpCode,
    response: delivery.response,
    mx_host: delivery.mxHost,
  }
}

/** Describes in one phrase why a delivery is waiting. */
function explain(delivery: WaitingDelivery, now: Date): string {
  if (delivery.leasedUntil !== null && delivery.leasedUntil > now) return 'being delivered now'
  if (isHeld(delivery)) return 'held since a restore; release it or fail it'
  if (delivery.status === 'scheduled') return 'scheduled for later'
  if (delivery.attempts > 0) {
    const reason = delivery.response ?? delivery.category ?? 'no reason was recorded'
    return delivery.mxHost === null ? reason : `${delivery.mxHost}: ${reason}`
  }
  return delivery.dueAt > now
    ? `not due yet${delivery.category === null ? '' : ` (${delivery.category})`}`
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
        const deliveries = await listWaiting(db, filter, options.limit)
        return deliveries.map((row) => waitingToJson(row, clock.now()))
      })
      createOutput(options).rows(rows, COLUMNS)
    })
}

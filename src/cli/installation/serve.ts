import { Command, InvalidArgumentError } from 'commander'
import type { Role, Sendwright } from '../../app/start-sendwright.ts'
import { createLog, type Log } from '../../lib/log.ts'
import { describeStart } from './greeting.ts'
import { readSettings } from './installation.ts'

const ROLES: readonly Role[] = ['api', 'deliver', 'inbound', 'webhooks', 'scheduler']

/** What is on the wire has this long to finish; leases bring back the rest (design: at least once). */
const DRAIN_LIMIT_MS = 30_000
/** Ctrl-C reaches a process twice, from the terminal and from npm: so close together it is one. */
const SAME_SIGNAL_MS = 500
/** There SIGHUP means that it was closed; for a daemon it means to read its files again. */
const IS_TERMINAL = process.stdin.isTTY || process.stdout.isTTY

function readRoles(text: string): Role[] {
  const roles = text.split(',').map((role) => role.trim())
  const unknown = roles.find((role) => !ROLES.includes(role as Role))
  if (unknown !== undefined) throw new InvalidArgumentError(`The roles are ${ROLES.join(', ')}.`)
  return [...new Set(roles as Role[])]
}

/** Runs until a signal, then drains. Resolves when all is settled. */
async function serve(roles: Role[]): Promise<void> {
  const config = readSettings()
  const log = createLog(config.logLevel)
  const stopped = waitForStop(log)
  let running: Sendwright | null = null
  // Heard from the first moment: without a listener the signal ends the process.
  if (!IS_TERMINAL) process.on('SIGHUP', () => void reload(running, log))
  // Loaded here and not above: the other commands need none of it.
  const { startSendwright } = await import('../../app/start-sendwright.ts')
  running = await startSendwright(config, { roles, log })
  // Not to standard output: that is the log, and a token does not belong there.
  process.stderr.write(describeStart(config, running))
  await stopped
  await running.stop()
  process.exit(0)
}

/** A mistake in what is read again leaves the old in force. Null: it starts, and reads everything now. */
async function reload(running: Sendwright | null, log: Log): Promise<void> {
  await running?.reload().catch((error: unknown) => log.error({ err: error }, 'SIGHUP: nothing was changed'))
}

/**
 * Resolves at the first SIGTERM or SIGINT (at a terminal also SIGHUP: it was closed), or when the process that started
 * this one is gone. From then on a second signal, or the end of the drain's time, ends the process at once.
 */
function waitForStop(log: Log): Promise<void> {
  return new Promise((resolve) => {
    let askedAtMs: number | null = null
    const ask = (why: string) => {
      const nowMs = performance.now()
      if (askedAtMs !== null) {
        if (nowMs - askedAtMs > SAME_SIGNAL_MS) leaveNow(log, `${why} again`)
        return
      }
      askedAtMs = nowMs
      log.info({ why }, 'Stopping: what is on the wire is finished first')
      setTimeout(() => leaveNow(log, 'the drain took too long'), DRAIN_LIMIT_MS).unref()
      resolve()
    }
    const signals = ['SIGTERM', 'SIGINT', ...(IS_TERMINAL ? (['SIGHUP'] as const) : [])] as const
    for (const signal of signals) process.on(signal, () => ask(signal))
    process.on('disconnect', () => ask('the starting process is gone'))
  })
}

function leaveNow(log: Log, why: string): never {
  log.warn({ why }, 'Leaving at once: leases bring back what was not finished')
  process.exit(1)
}

export function serveCommand(): Command {
  return new Command('serve')
    .description('run the service: HTTP API, SMTP listeners, delivery and scheduler; "npm start" does this')
    .option(
      '--roles <roles>',
      'run only these parts, comma-separated: api, deliver, inbound, scheduler',
      readRoles,
      [...ROLES],
    )
    .action(async (options: { roles: Role[] }) => serve(options.roles))
}

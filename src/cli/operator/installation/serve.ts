import cluster from 'node:cluster'
import { availableParallelism, totalmem } from 'node:os'
import { Command, InvalidArgumentError } from 'commander'
import type { Sendwright } from '../../../app/start/start-sendwright.ts'
import { startTrimming } from '../../../app/trim-memory.ts'
import { PROCESS_ROLES, type ProcessRole } from '../../../app/types.ts'
import { countWorkers, type Machine } from '../../../app/workers/count-workers.ts'
import type { Supervisor } from '../../../app/workers/start-supervisor.ts'
import { type Config, labelsOf } from '../../../config/config.ts'
import { exitOnUncaught } from '../../../lib/exit-on-uncaught.ts'
import { createLog, type Log, openLogOutput } from '../../../lib/log.ts'
import { describeStart } from './greeting.ts'
import { reload } from './reload.ts'
import { readSettings } from './settings.ts'

/**
 * Time for SMTP sessions in progress to finish. After it, leases expire and other processes deliver the rest, at
 * least once.
 */
const DRAIN_LIMIT_MS = 30_000
/** Ctrl-C signals a process twice, from the terminal and from npm. Signals this close together count as one. */
const SAME_SIGNAL_MS = 500
/** At a terminal, SIGHUP means that it was closed; for a daemon, it means to reload files. */
const IS_TERMINAL = process.stdin.isTTY || process.stdout.isTTY

function readRoles(text: string): ProcessRole[] {
  const roles = text.split(',').map((role) => role.trim())
  const unknown = roles.find((role) => !PROCESS_ROLES.includes(role as ProcessRole))
  if (unknown !== undefined) throw new InvalidArgumentError(`The roles are ${PROCESS_ROLES.join(', ')}.`)
  return [...new Set(roles as ProcessRole[])]
}

/** Runs until a signal, then drains. Exits the process when everything has stopped. */
async function serve(roles: ProcessRole[]): Promise<void> {
  // A worker is this program too, forked by a supervisor.
  if (cluster.isWorker) {
    const { serveAsWorker } = await import('./serve-worker.ts')
    return serveAsWorker(DRAIN_LIMIT_MS)
  }
  const config = readSettings()
  const count = countWorkers(config.workers, roles, readMachine())
  if (count > 1) return serveWithWorkers(config, roles, count)
  const log = createLog(config.logLevel, undefined, labelsOf(config))
  exitOnUncaught(log)
  const stopped = waitForStop(log)
  let service: Sendwright | null = null
  // Listen before the start, because a signal without a listener ends the process.
  if (!IS_TERMINAL) process.on('SIGHUP', () => void reload(service, log))
  // Imported here because the other commands do not need it.
  const { startSendwright } = await import('../../../app/start/start-sendwright.ts')
  service = await startSendwright(config, { roles, log })
  startTrimming()
  // Not on standard output, which is the log: it must not contain a token.
  process.stderr.write(describeStart(config, service))
  await stopped
  await service.stop()
  process.exit(0)
}

/** Runs the service in several processes, which this one supervises, until a signal. */
async function serveWithWorkers(config: Config, roles: ProcessRole[], count: number): Promise<void> {
  const output = openLogOutput()
  const log = createLog(config.logLevel, output, labelsOf(config))
  exitOnUncaught(log)
  const stopped = waitForStop(log)
  let service: Supervisor | null = null
  if (!IS_TERMINAL) process.on('SIGHUP', () => void reload(service, log))
  const { startSupervisor } = await import('../../../app/workers/start-supervisor.ts')
  const file = process.argv[1] ?? ''
  service = await startSupervisor(config, {
    roles,
    count,
    log,
    file,
    writeOutput: (lines) => output.write(lines),
  })
  startTrimming()
  process.stderr.write(describeStart(config, service))
  const failure = await Promise.race([stopped, service.failed])
  const isOrderly = await service.stop()
  if (failure !== undefined) throw failure
  process.exit(isOrderly ? 0 : 1)
}

/** Returns the resources of this machine, or of the container that limits this process. */
function readMachine(): Machine {
  // Without a limit, the system reports 0 or an impossible number.
  const limit = process.constrainedMemory() || Number.POSITIVE_INFINITY
  return { processors: availableParallelism(), memoryBytes: Math.min(totalmem(), limit) }
}

/**
 * Resolves at the first SIGTERM or SIGINT (at a terminal also SIGHUP, which means that it was closed), or when the
 * parent process disconnects. After that, a second signal or the drain limit ends the process immediately.
 */
function waitForStop(log: Log): Promise<void> {
  return new Promise((resolve) => {
    let requestedAtMs: number | null = null
    const requestStop = (why: string) => {
      const nowMs = performance.now()
      if (requestedAtMs !== null) {
        if (nowMs - requestedAtMs > SAME_SIGNAL_MS) exitNow(log, `${why} again`)
        return
      }
      requestedAtMs = nowMs
      log.info({ why }, 'stopping after the SMTP sessions in progress')
      setTimeout(() => exitNow(log, 'the drain took too long'), DRAIN_LIMIT_MS).unref()
      resolve()
    }
    const signals = ['SIGTERM', 'SIGINT', ...(IS_TERMINAL ? (['SIGHUP'] as const) : [])] as const
    for (const signal of signals) process.on(signal, () => requestStop(signal))
    process.on('disconnect', () => requestStop('the parent process disconnected'))
  })
}

function exitNow(log: Log, why: string): never {
  log.warn({ why }, 'exiting immediately: unfinished deliveries are retried when their leases expire')
  process.exit(1)
}

export function serveCommand(): Command {
  return new Command('serve')
    .description('run the service: HTTP API, SMTP listeners, delivery and scheduler; "npm start" does this')
    .option(
      '--roles <roles>',
      `run only these parts, comma-separated: ${PROCESS_ROLES.join(', ')}`,
      readRoles,
      [...PROCESS_ROLES],
    )
    .action(async (options: { roles: ProcessRole[] }) => serve(options.roles))
}

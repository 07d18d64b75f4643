import { randomUUID } from 'node:crypto'
import { makeFirstOwnerLink } from '../../accounts/people/first-owner.ts'
import type { Config } from '../../config/config.ts'
import type { CannotStart } from '../../lib/cannot-start.ts'
import type { Log } from '../../lib/log.ts'
import { findJournals } from '../journal.ts'
import { createLifecycle } from '../lifecycle.ts'
import { serveMetrics } from '../metrics.ts'
import { openRuntime, type Runtime } from '../runtime.ts'
import { gaugeInstallation } from '../start/installation-metrics.ts'
import { prepareDatabase } from '../start/prepare-database.ts'
import type { Sendwright } from '../start/start-sendwright.ts'
import type { ProcessRole } from '../types.ts'
import type { WorkerPlace } from '../worker-messages.ts'
import { createLauncher } from './launch-worker.ts'
import { MergedMetrics } from './merged-metrics.ts'
import { recoverWorker } from './recover-worker.ts'
import { WorkerSet } from './worker-set.ts'

export interface Supervisor extends Omit<Sendwright, 'stop'> {
  /** Resolves when the workers cannot be kept running. */
  failed: Promise<CannotStart>
  /** Stops the workers in order, and then the rest. Returns whether every worker ended in order. */
  stop(): Promise<boolean>
}

interface SupervisorOptions {
  roles: readonly ProcessRole[]
  /** The number of workers. */
  count: number
  log: Log
  /** The program that this process runs, which the workers run too. */
  file: string
  /** Receives whole lines of the workers' logs. */
  writeOutput(lines: string): void
}

/**
 * Runs the service in several worker processes. This process handles no mail itself. It runs the embedded PostgreSQL,
 * prepares the database, starts and replaces workers, merges their logs and metrics, and stops them together.
 */
export async function startSupervisor(config: Config, options: SupervisorOptions): Promise<Supervisor> {
  const { roles, count, log } = options
  const lifecycle = createLifecycle(log)
  try {
    const runtime = await openRuntime(config, log, lifecycle, { workers: count })
    const firstStart = await prepareDatabase(runtime, roles)
    gaugeInstallation(runtime, roles)
    const { workers, metrics } = await openWorkers(runtime, options)
    let areStopped = true
    lifecycle.add('workers', async () => {
      areStopped = await workers.stop()
    })
    const ports = await workers.start()
    await serveMetrics({ ...runtime, published: metrics })
    const { url } = ports
    const { pools, clock } = runtime
    const firstOwnerLink =
      url === null ? null : await makeFirstOwnerLink(pools.engine, config.publicUrl, clock.now())
    log.info({ workers: count, roles, delivery: config.delivery.kind, url }, 'started')
    return {
      ...ports,
      firstStart,
      firstOwnerLink,
      failed: workers.failed,
      async reload() {
        for (const worker of workers.all()) worker.send({ kind: 'reload' })
      },
      async stop() {
        await lifecycle.stop()
        return areStopped
      },
    }
  } catch (error) {
    await lifecycle.stop()
    throw error
  }
}

async function openWorkers(runtime: Runtime, { roles, count, log, ...options }: SupervisorOptions) {
  const recover = await openRecovery(runtime)
  const metrics = new MergedMetrics(runtime.metrics.registry, () => workers.all())
  const launch = createLauncher({
    file: options.file,
    args: ['serve'],
    writeOutput: options.writeOutput,
    writeErrors: (lines) => process.stderr.write(lines),
    onMessage(worker, message) {
      if (message.kind === 'collected') metrics.receive(message.request, message.values)
      if (message.kind !== 'read') return
      const { request } = message
      const answer = (text: string | null) => worker.send({ kind: 'metrics', request, text })
      metrics.metrics().then(answer, () => answer(null))
    },
  })
  const placeOf = (number: number): WorkerPlace => ({
    number,
    count,
    nodeId: randomUUID(),
    databaseUrl: runtime.databaseUrl,
    roles: rolesOf(number, roles),
    terminals: { output: process.stdout.isTTY, errors: process.stderr.isTTY },
  })
  const workers = new WorkerSet({
    count,
    log,
    launch: (number) => launch(placeOf(number)),
    onGone({ nodeId }) {
      metrics.leave(nodeId)
      recover(nodeId)
    },
  })
  // The workers end with this process. If it is killed, they drain by themselves.
  process.on('exit', () => workers.kill())
  return { workers, metrics }
}

/**
 * Returns the roles of a worker. Only the first one runs timed tasks: each scheduler puts the same load on the
 * database.
 */
function rolesOf(number: number, roles: readonly ProcessRole[]): readonly ProcessRole[] {
  return number === 1 ? roles : roles.filter((role) => role !== 'scheduler')
}

/** Returns a function that makes the work of a dead worker available to the others. */
async function openRecovery(runtime: Runtime): Promise<(nodeId: string) => void> {
  const { config, clock, log, nodeId, lifecycle } = runtime
  const { engine: db } = runtime.pools
  const settling = {
    db,
    clock,
    log,
    nodeId,
    random: Math.random,
    retryScheduleMs: config.retryScheduleMs,
  }
  const { settleLeft } = await findJournals(config, settling)
  const stopping = new AbortController()
  const recoveries = new Set<Promise<void>>()
  lifecycle.add('recoveries', async () => {
    stopping.abort()
    await Promise.all(recoveries)
  })
  return (worker) => {
    const work = recoverWorker({ db, clock, log, settleLeft, stop: stopping.signal }, worker)
    recoveries.add(work)
    void work.finally(() => recoveries.delete(work))
  }
}

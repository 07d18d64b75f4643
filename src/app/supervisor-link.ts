import cluster from 'node:cluster'
import { Registry } from 'prom-client'
import type { Terminal } from '../accounts/users/print-account-mail.ts'
import type { MetricsText } from '../http/server/metrics.ts'
import type { Ports } from './types.ts'
import type { FromWorker, ToWorker, WorkerPlace } from './worker-messages.ts'

/** The connection of a worker to its supervisor. It serves as the metrics of all workers. */
export interface SupervisorLink extends MetricsText {
  readonly place: WorkerPlace
  /** The supervisor's streams, as far as account mail needs them (accounts/users/print-account-mail.ts). */
  readonly logOutput: Terminal
  readonly terminal: Terminal
  /** Resolves to the reason when this worker is to stop. */
  readonly stopped: Promise<string>
  /** Makes these metrics the response to `collect`. */
  show(own: Registry): void
  /** Reports that this worker runs. From then on, `reload` runs when the supervisor requests it. */
  started(ports: Ports, reload: () => void): void
}

/** The supervisor waits less than this for the other workers. */
const METRICS_TIMEOUT_MS = 5_000

/**
 * Joins the supervisor that forked this process. States: *waiting* for its place, *running*, and *stopping*, because
 * the supervisor or a signal requests it or because the supervisor is gone. A signal only makes the worker drain: a
 * terminal and a service manager signal every process of a group, so only the supervisor ends the workers at once.
 */
export async function joinSupervisor(): Promise<SupervisorLink> {
  // By default, node:cluster ends the process as soon as its supervisor is gone. It must drain first.
  if (cluster.worker !== undefined) cluster.worker.exitedAfterDisconnect = true
  const assignment = Promise.withResolvers<WorkerPlace>()
  const stopped = Promise.withResolvers<string>()
  const reader = createMetricsReader()
  let registry: Registry | null = null
  let reload = () => {}
  let hasStarted = false

  async function answerCollect(request: number): Promise<void> {
    if (registry !== null) send({ kind: 'collected', request, values: await registry.getMetricsAsJSON() })
  }

  process.on('message', (message: ToWorker) => {
    if (message.kind === 'begin') assignment.resolve(message.place)
    else if (message.kind === 'stop') stopped.resolve('the supervisor stops')
    else if (message.kind === 'reload') reload()
    else if (message.kind === 'metrics') reader.receive(message.request, message.text)
    // If a gauge fails, the supervisor waits until its timeout and then uses the last values.
    else answerCollect(message.request).catch(() => {})
  })
  process.on('disconnect', () => {
    // A worker that has not started cannot finish: its listeners wait for the supervisor.
    if (!hasStarted) process.exit(1)
    stopped.resolve('the supervisor is gone')
  })
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stopped.resolve(signal))
  // The supervisor forwards a reload.
  process.on('SIGHUP', () => {})

  const place = await assignment.promise
  const { output, errors } = place.terminals
  return {
    place,
    stopped: stopped.promise,
    contentType: Registry.PROMETHEUS_CONTENT_TYPE,
    metrics: reader.read,
    logOutput: { isTTY: output, write: (text) => process.stdout.write(text) },
    terminal: { isTTY: errors, write: (text) => process.stderr.write(text) },
    show(ownRegistry) {
      registry = ownRegistry
    },
    started({ url, httpsPort, inboundPort, submissionPort, submissionsPort }, work) {
      reload = work
      hasStarted = true
      const ports = { url, httpsPort, inboundPort, submissionPort, submissionsPort }
      send({ kind: 'started', ports })
    },
  }
}

/** Reads the metrics of all workers from the supervisor. */
function createMetricsReader() {
  const waiting = new Map<number, (text: string | null) => void>()
  let requests = 0
  return {
    receive: (request: number, text: string | null) => waiting.get(request)?.(text),
    async read(): Promise<string> {
      const request = ++requests
      const { promise, resolve } = Promise.withResolvers<string | null>()
      const timer = setTimeout(() => resolve(null), METRICS_TIMEOUT_MS)
      waiting.set(request, resolve)
      send({ kind: 'read', request })
      const text = await promise
      clearTimeout(timer)
      waiting.delete(request)
      if (text === null) throw new Error('The supervisor could not collect the metrics of the workers.')
      return text
    },
  }
}

/** Sends a message, unless the supervisor is gone. */
function send(message: FromWorker): void {
  if (process.connected) process.send?.(message, () => {})
}

import cluster from 'node:cluster'
import type { Ports } from '../types.ts'
import type { FromWorker, ToWorker, WorkerPlace } from '../worker-messages.ts'
import { forwardLines } from './forward-lines.ts'

/** One worker process, from its fork to its end. */
export interface WorkerProcess {
  readonly number: number
  readonly nodeId: string
  readonly pid: number
  /** Resolves to its ports when it has started, or to null if it ended before. */
  readonly started: Promise<Ports | null>
  /** Resolves when the process has ended and its output was read. */
  readonly ended: Promise<WorkerEnd>
  /** Sends a message. Does nothing if the process is gone. */
  send(message: ToWorker): void
  kill(): void
}

export interface WorkerEnd {
  /** Null if a signal ended the process. */
  code: number | null
  /** `SIGKILL`, `exit code 1`, or the reason why the process could not be forked. */
  how: string
  /** Its standard error from before it had started, which says why it could not start. */
  errors: string
}

export interface LaunchOptions {
  /** The program that a worker runs, and its arguments. */
  file: string
  args: readonly string[]
  /** Receives whole lines of the workers' standard output; `writeErrors`, those of their standard error. */
  writeOutput(lines: string): void
  writeErrors(lines: string): void
  onMessage(worker: WorkerProcess, message: FromWorker): void
}

/** The most characters of a worker's errors that are kept until it has started. */
const ERRORS_LENGTH_MAX = 16_384

/**
 * Returns a function that forks workers. They share their listening sockets: all of them wait for connections at the
 * same socket, and an idle one accepts. Connections that are not accepted yet survive the death of a worker.
 * Connections that the supervisor passed on would not, and would cost it work.
 */
export function createLauncher(options: LaunchOptions): (place: WorkerPlace) => WorkerProcess {
  cluster.schedulingPolicy = cluster.SCHED_NONE
  cluster.setupPrimary({
    exec: options.file,
    args: [...options.args],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // Metrics may have infinite values, which JSON cannot express.
    serialization: 'advanced',
  })
  return (place) => launch(place, options)
}

function launch(place: WorkerPlace, options: LaunchOptions): WorkerProcess {
  const forked = cluster.fork()
  const { process: child } = forked
  const start = Promise.withResolvers<Ports | null>()
  const exit = Promise.withResolvers<WorkerEnd>()
  let hasStarted = false
  let errors = ''

  const worker: WorkerProcess = {
    number: place.number,
    nodeId: place.nodeId,
    pid: child.pid ?? -1,
    started: start.promise,
    ended: exit.promise,
    send(message) {
      if (forked.isConnected()) forked.send(message, undefined, () => {})
    },
    kill: () => void child.kill('SIGKILL'),
  }

  forked.on('message', (message: FromWorker) => {
    if (message.kind === 'started') {
      hasStarted = true
      // The start succeeded, so these are warnings.
      if (errors !== '') options.writeErrors(errors)
      start.resolve(message.ports)
    }
    options.onMessage(worker, message)
  })
  // They are undefined if the process has no file descriptors left; its `error` follows.
  if (child.stdout != null) forwardLines(child.stdout, options.writeOutput)
  if (child.stderr != null) {
    forwardLines(child.stderr, (lines) => {
      if (hasStarted) options.writeErrors(lines)
      else errors = (errors + lines).slice(-ERRORS_LENGTH_MAX)
    })
  }
  const end = (code: number | null, how: string) => {
    start.resolve(null)
    exit.resolve({ code, how, errors: hasStarted ? '' : errors })
  }
  forked.on('error', (error) => end(null, error.message))
  // Wait for `close` instead of `exit`, because the last output may still be in the pipes.
  child.once('close', (code, signal) => end(code, signal ?? `exit code ${code}`))
  worker.send({ kind: 'begin', place })
  return worker
}

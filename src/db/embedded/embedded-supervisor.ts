import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { CannotStart } from '../../lib/cannot-start.ts'
import type { Log } from '../../lib/log.ts'
import { type Launch, launchProcess } from './embedded-account.ts'
import { clearPostmaster, readPostmaster, stopPostmaster } from './embedded-cluster.ts'

export interface Supervised {
  binary: string
  launch: Launch
  clusterDir: string
  settings: Readonly<Record<string, string>>
  log: Log
}

interface Running {
  /** Null when no process could be created. */
  pid: number | null
  /** Resolves to its last output when the process has ended. Never rejects. */
  exited: Promise<string>
}

const POLL_MS = 20
const SLOW_START_MS = 10_000
const RESTART_FIRST_MS = 100
const RESTART_MAX_MS = 5_000
const FIRST_ATTEMPTS_MAX = 5
const LINES_KEPT = 5
/** PostgreSQL's errors while the last processes of a killed postmaster are still ending. */
const NOT_YET = /shared memory block|lock file/

/**
 * Runs a postmaster and restarts it whenever it ends. Its states: *starting* (spawned, recovering, not yet ready),
 * *running*, *waiting* (it ended; the next start is due after 100 ms, doubling up to 5 s), and *stopped*, which
 * `stop` reaches from any other state. Resolves when it runs for the first time; if it cannot, throws CannotStart
 * with its last output.
 */
export async function superviseProcess(spec: Supervised): Promise<{ stop(): Promise<void> }> {
  const stopping = new AbortController()
  let server = await startFirst(spec, stopping.signal)
  const killAtExit = () => signalQuietly(server)
  process.on('exit', killAtExit)

  const watch = async (): Promise<void> => {
    let waitMs = RESTART_FIRST_MS
    while (!stopping.signal.aborted) {
      const output = await server.exited
      if (stopping.signal.aborted) return
      spec.log.error({ output, waitMs }, 'PostgreSQL ended and is being restarted')
      await sleep(waitMs, undefined, { signal: stopping.signal }).catch(() => {})
      if (stopping.signal.aborted) return
      await clearPostmaster(spec.clusterDir)
      server = startOne(spec)
      const up = await waitUntilReady(spec, server, stopping.signal)
      waitMs = up ? RESTART_FIRST_MS : Math.min(waitMs * 2, RESTART_MAX_MS)
      if (up) spec.log.info('PostgreSQL is running again')
    }
  }
  const watching = watch()
  return {
    async stop() {
      stopping.abort()
      await stopOne(server)
      await watching
      // A start may have been in progress when the first signal was sent.
      await stopOne(server)
      await server.exited
      process.off('exit', killAtExit)
    },
  }
}

async function startFirst(spec: Supervised, stop: AbortSignal): Promise<Running> {
  for (let attempts = 1; ; attempts++) {
    const server = startOne(spec)
    if (await waitUntilReady(spec, server, stop)) return server
    const output = await server.exited
    if (attempts === FIRST_ATTEMPTS_MAX || !NOT_YET.test(output)) {
      throw new CannotStart(`PostgreSQL does not start: ${output}`)
    }
    await sleep(RESTART_FIRST_MS * attempts)
  }
}

function startOne(spec: Supervised): Running {
  const settings = Object.entries(spec.settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const child = launchProcess(spec.launch, spec.binary, ['-D', spec.clusterDir, ...settings])
  child.stdin?.destroy()
  const last: string[] = []
  for (const stream of [child.stdout, child.stderr]) {
    if (stream === null) continue
    createInterface({ input: stream }).on('line', (line) => {
      last.push(line)
      if (last.length > LINES_KEPT) last.shift()
      spec.log.debug({ line }, 'PostgreSQL output')
    })
  }
  const exited = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, signal) => {
      // The last lines may still be in the pipe.
      setImmediate(() => resolve([...last, `(${signal ?? `exit code ${code}`})`].join(' ')))
    })
  })
  return { pid: child.pid ?? null, exited }
}

/**
 * Resolves to true when it accepts connections, or to false when it ends before that. Crash recovery has no time
 * limit.
 */
async function waitUntilReady(spec: Supervised, server: Running, stop: AbortSignal): Promise<boolean> {
  let hasEnded = false
  void server.exited.then(() => {
    hasEnded = true
  })
  let logAfter = Date.now() + SLOW_START_MS
  while (!hasEnded && !stop.aborted) {
    const postmaster = readPostmaster(spec.clusterDir)
    if (postmaster?.pid === server.pid && postmaster.ready) return true
    if (Date.now() > logAfter) {
      spec.log.info('PostgreSQL is still recovering')
      logAfter += SLOW_START_MS
    }
    await sleep(POLL_MS)
  }
  return false
}

async function stopOne({ pid }: Running): Promise<void> {
  if (pid !== null) await stopPostmaster(pid)
}

function signalQuietly({ pid }: Running): void {
  if (pid === null) return
  try {
    process.kill(pid, 'SIGINT')
  } catch {
    // The process has already ended.
  }
}

import { Session } from 'node:inspector/promises'
import { createServer } from 'node:net'
import { isMainThread } from 'node:worker_threads'

/**
 * Loaded into a server before its code. Measures how long its main thread computes without reading its sockets, as
 * the CPU time of that thread between two turns of the event loop. CPU time does not count delays by a busy machine
 * or by the test process. A request to /healthz that arrives during a hold waits that long.
 *
 * A connection to HOLD_PROBE_PATH receives the longest hold since the last connection, as JSON.
 */
const EVERY_MS = 1
const { HOLD_PROBE_PATH: path, HOLD_PROBE_PROFILE: profiled } = process.env

export interface Hold {
  longestMs: number
  rssMib: number
  /** The slowest functions, with HOLD_PROBE_PROFILE. */
  functions: string[]
}

if (isMainThread && path !== undefined) listen(path)

function listen(at: string): void {
  let longestMs = 0
  let before = process.threadCpuUsage()
  const measure = () => {
    const { user, system } = process.threadCpuUsage(before)
    before = process.threadCpuUsage()
    longestMs = Math.max(longestMs, (user + system) / 1000)
  }
  setInterval(measure, EVERY_MS).unref()
  const session = profiled === undefined ? null : startProfiler()
  const server = createServer(async (socket) => {
    measure()
    const hold = { longestMs, rssMib: Math.round(process.memoryUsage.rss() / 1024 / 1024) }
    const functions = session === null ? [] : await nameFunctions(session)
    socket.on('error', () => {})
    socket.end(JSON.stringify({ ...hold, functions } satisfies Hold), () => {
      before = process.threadCpuUsage()
      longestMs = 0
    })
  })
  server.listen(at).unref()
}

function startProfiler(): Session {
  const session = new Session()
  session.connect()
  void session.post('Profiler.enable').then(() => session.post('Profiler.start'))
  return session
}

async function nameFunctions(session: Session): Promise<string[]> {
  const { profile } = await session.post('Profiler.stop')
  const counts = new Map<string, number>()
  const { nodes, samples = [], timeDeltas = [] } = profile
  const byId = new Map(nodes.map((node) => [node.id, node.callFrame]))
  for (const [index, id] of samples.entries()) {
    const frame = byId.get(id)
    if (frame === undefined || frame.functionName === '(idle)') continue
    const name = `${frame.functionName} ${frame.url.split('/').slice(-2).join('/')}:${frame.lineNumber + 1}`
    counts.set(name, (counts.get(name) ?? 0) + (timeDeltas[index] ?? 0) / 1000)
  }
  await session.post('Profiler.start')
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, 5)
    .map(([name, ms]) => `${name} ${Math.round(ms)}`)
}

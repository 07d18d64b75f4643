import { readdirSync } from 'node:fs'
import type { Profiler } from 'node:inspector'
import { connect } from 'node:net'
import { join } from 'node:path'

/** The measurements of one thread of the server between `start` and `stop`. */
export interface ThreadProfile {
  pid: number
  /** 0 for the main thread. */
  threadId: number
  /** CPU time of this thread alone, in microseconds. */
  cpuUs: number
  profile: Profiler.Profile
}

const PROBE = new URL('probe.ts', import.meta.url).href

/** Returns the environment that loads the probe into a server. */
export function probeEnvironment(directory: string, intervalUs: number): Record<string, string> {
  return {
    NODE_OPTIONS: `--import ${PROBE}`,
    COST_PROBE_DIR: directory,
    COST_PROBE_INTERVAL_US: `${intervalUs}`,
  }
}

/** Starts to sample in all threads of the server. Returns a function that stops and returns their profiles. */
export async function startProfiles(directory: string): Promise<() => Promise<ThreadProfile[]>> {
  const started: string[] = []
  for (const name of readdirSync(directory)) {
    const path = join(directory, name)
    if ((await askProbe(path, 'start')) !== null) started.push(path)
  }
  if (started.length === 0) throw new Error('no thread of the server has loaded the probe')
  return async () => {
    const answers = await Promise.all(started.map((path) => askProbe(path, 'stop')))
    return answers.filter((answer) => answer !== null).map((answer) => JSON.parse(answer) as ThreadProfile)
  }
}

/** Sends a command. Resolves to null if nothing listens there: the socket of a process that was killed remains. */
function askProbe(path: string, command: string): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = []
    const socket = connect({ path, allowHalfOpen: true })
    socket.on('data', (piece: Buffer) => pieces.push(piece))
    socket.once('end', () => resolve(Buffer.concat(pieces).toString()))
    socket.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED' || error.code === 'ENOENT') resolve(null)
      else reject(error)
    })
    socket.end(command)
  })
}

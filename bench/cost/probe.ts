import { Session } from 'node:inspector/promises'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { threadId } from 'node:worker_threads'
import type { ThreadProfile } from './probe-client.ts'

/**
 * Loaded into a server before its code, into every process and thread. Each thread listens on a socket of its own in
 * COST_PROBE_DIR and samples its stacks between the commands `start` and `stop`.
 */
const { COST_PROBE_DIR: directory, COST_PROBE_INTERVAL_US: intervalUs } = process.env

if (directory !== undefined) listen(join(directory, `${process.pid}-${threadId}.sock`))

function listen(path: string): void {
  const session = new Session()
  let before = process.threadCpuUsage()

  async function start(): Promise<object> {
    session.connect()
    await session.post('Profiler.enable')
    await session.post('Profiler.setSamplingInterval', { interval: Number(intervalUs) })
    await session.post('Profiler.start')
    before = process.threadCpuUsage()
    return {}
  }

  async function stop(): Promise<ThreadProfile> {
    const { user, system } = process.threadCpuUsage(before)
    const { profile } = await session.post('Profiler.stop')
    session.disconnect()
    return { pid: process.pid, threadId, cpuUs: user + system, profile }
  }

  const answer = async (socket: Socket) => {
    let command = ''
    for await (const chunk of socket) command += chunk
    socket.end(JSON.stringify(command === 'start' ? await start() : await stop()))
  }
  // Half open, because the client ends its side after the command.
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    answer(socket).catch((error: unknown) => socket.destroy(error as Error))
    socket.on('error', () => {})
  })
  server.listen(path).unref()
}

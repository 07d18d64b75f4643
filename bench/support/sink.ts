import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { findFreePort } from '../../test/support/ports.ts'
import { makeDirectory, removeDirectory, startChild, stopChild, waitForPort } from './children.ts'

export interface Sink {
  port: number
  /** Returns the number of messages accepted so far. */
  count(): number
  /**
   * Resolves when `count` messages have arrived since the start. Throws after `timeoutMs`, with the number that
   * arrived.
   */
  waitFor(count: number, timeoutMs: number): Promise<void>
  stop(): Promise<void>
}

/** The precision of the measured end. A run takes seconds. */
const POLL_MS = 5
const TAIL_BYTES = 128

/** Starts Postfix's smtp-sink, which counts messages and discards them. `isNiced` lets the server under test go first. */
export async function startSink({ isNiced = false } = {}): Promise<Sink> {
  const directory = makeDirectory('sink')
  const counterPath = join(directory, 'counter')
  const counterFile = openSync(counterPath, 'w+')
  const port = await findFreePort()
  const args = ['-u', 'postfix', '-c', '-m', '500', `127.0.0.1:${port}`, '500']
  const niced = ['-n', isNiced ? '10' : '0', '/usr/sbin/smtp-sink', ...args]
  const child = startChild('nice', niced, { stdio: ['ignore', counterFile, 'ignore'] })
  await waitForPort(port, child)
  const tail = Buffer.alloc(TAIL_BYTES)

  /**
   * smtp-sink writes `sess=1 quit=0 mesg=7` after a carriage return for each change. The last complete one counts.
   */
  const count = (): number => {
    const size = fstatSync(counterFile).size
    const length = readSync(counterFile, tail, 0, TAIL_BYTES, Math.max(0, size - TAIL_BYTES))
    return Number(/.*mesg=(\d+)/s.exec(tail.toString('latin1', 0, length))?.[1] ?? 0)
  }
  return {
    port,
    count,
    async waitFor(wanted, timeoutMs) {
      const end = performance.now() + timeoutMs
      while (count() < wanted) {
        if (performance.now() > end)
          throw new Error(`${count()} of ${wanted} messages arrived in ${timeoutMs / 1000} s`)
        await pause(POLL_MS)
      }
    },
    async stop() {
      await stopChild(child)
      closeSync(counterFile)
      removeDirectory(directory)
    },
  }
}

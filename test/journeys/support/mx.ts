import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findFreePort } from '../../support/ports.ts'
import { type Child, runScript } from './children.ts'

/** A message that the receiving server has accepted: written to disk before the 250. */
export interface Stored {
  connection: string
  to: string
  messageId: string
  subject: string
  atMs: number
}

/** A connection as the receiving server saw it; still open when `closedMs` is infinite. */
export interface Connection {
  openedMs: number
  closedMs: number
}

export interface JourneyMx {
  port: number
  /**
   * Starts or restarts the server. `takesMs`: how long each message takes; `hold`: it never replies to the final dot.
   */
  start(takesMs?: number | 'hold'): Promise<void>
  /** Kills the server with SIGKILL. Connections break; the ledger remains. */
  kill(): Promise<void>
  stored(): Stored[]
  connections(): Map<string, Connection>
  /** Counts the messages that reached the final dot and got no reply. */
  heldCount(): number
}

interface Line {
  event: 'opened' | 'closed' | 'stored' | 'held'
  connection: string
  to: string
  message_id: string
  subject: string
  at_ms: number
}

const PROGRAM = join(import.meta.dirname, 'mx-program.ts')

/** Creates a receiving server on a free port, with its ledger in `directory`, without starting it. */
export async function createMx(directory: string): Promise<JourneyMx> {
  const port = await findFreePort()
  const ledger = join(directory, 'mx-ledger')
  let running: Child | null = null
  const read = (event: Line['event']) => readLines<Line>(ledger).filter((line) => line.event === event)
  return {
    port,
    async start(takesMs = 0) {
      running = runScript(PROGRAM, [`${port}`, ledger, `${takesMs}`])
      await running.waitForLine('listening', 30_000)
    },
    async kill() {
      running?.signal('SIGKILL')
      await running?.ended
    },
    stored: () =>
      read('stored').map((line) => ({
        connection: line.connection,
        to: line.to,
        messageId: line.message_id,
        subject: line.subject,
        atMs: line.at_ms,
      })),
    connections() {
      const all = new Map<string, Connection>()
      for (const line of read('opened')) {
        all.set(line.connection, { openedMs: line.at_ms, closedMs: Number.POSITIVE_INFINITY })
      }
      for (const line of read('closed')) {
        const connection = all.get(line.connection)
        if (connection !== undefined) connection.closedMs = line.at_ms
      }
      return all
    },
    heldCount: () => read('held').length,
  }
}

/** Returns the complete lines of a ledger; the last one may be partly written. */
export function readLines<T>(path: string): T[] {
  if (!existsSync(path)) return []
  const text = readFileSync(path, 'utf8')
  return text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T)
}

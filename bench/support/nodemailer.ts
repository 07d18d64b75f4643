import { once } from 'node:events'
import { join } from 'node:path'
import { NODE, startChild, stopChild } from './children.ts'

export interface Nodemailer {
  pid: number
  /** Resolves when the sink has accepted `count` messages. */
  send(count: number): Promise<void>
  stop(): Promise<void>
}

const PROGRAM = join(import.meta.dirname, 'nodemailer-pool.ts')

/** Starts a process that sends through Nodemailer's pool to the sink at `sinkPort`. */
export async function startNodemailer(sinkPort: number): Promise<Nodemailer> {
  const child = startChild(NODE, [PROGRAM, `${sinkPort}`], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const waitForMessage = async (): Promise<void> => {
    const ended = once(child, 'exit').then(() => Promise.reject(new Error('the Nodemailer process exited')))
    await Promise.race([once(child, 'message'), ended])
  }
  await waitForMessage()
  return {
    pid: child.pid ?? 0,
    async send(count) {
      child.send(count)
      await waitForMessage()
    },
    stop: () => stopChild(child),
  }
}

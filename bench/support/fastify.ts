import { join } from 'node:path'
import { findFreePort } from '../../test/support/ports.ts'
import { NODE, startChild, stopChild, waitForPort } from './children.ts'

export const FASTIFY = 'bare Fastify'

/** Runs `work` beside a Fastify server that accepts emails and stores nothing: the least that a server on Node.js takes. */
export async function withFastify<T>(work: (port: number, pid: number) => Promise<T>): Promise<T> {
  const port = await findFreePort()
  const child = startChild(NODE, [join(import.meta.dirname, 'bare-fastify.ts'), `${port}`])
  try {
    await waitForPort(port, child)
    return await work(port, child.pid ?? 0)
  } finally {
    await stopChild(child)
  }
}

import { once } from 'node:events'
import { join } from 'node:path'
import { NODE, startChild, stopChild } from '../support/children.ts'

/** One webhook as its endpoint saw it; milliseconds since the epoch. */
export interface HookArrival {
  path: string
  id: string
  atMs: number
}

export type FromHooks = { kind: 'listening'; port: number } | { kind: 'arrivals'; arrivals: HookArrival[] }

/** Paths that begin so get no answer. */
export const HANGS = '/hangs'

export interface Hooks {
  /** `http://127.0.0.1:<port>` */
  url: string
  /** In their order. */
  readonly arrivals: readonly HookArrival[]
  stop(): Promise<void>
}

/** Endpoints in a process of their own: each path is one. */
export async function startHooks(): Promise<Hooks> {
  const program = join(import.meta.dirname, 'hooks-process.ts')
  const child = startChild(NODE, [program], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const arrivals: HookArrival[] = []
  const [first] = (await once(child, 'message')) as [FromHooks]
  if (first.kind !== 'listening') throw new Error('the endpoints do not listen')
  child.on('message', (message: FromHooks) => {
    if (message.kind === 'arrivals') for (const arrival of message.arrivals) arrivals.push(arrival)
  })
  return { url: `http://127.0.0.1:${first.port}`, arrivals, stop: () => stopChild(child) }
}

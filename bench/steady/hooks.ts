import { once } from 'node:events'
import { join } from 'node:path'
import { NODE, startChild, stopChild } from '../support/children.ts'

/** One webhook as received by its endpoint. The time is in milliseconds since the epoch. */
export interface HookArrival {
  path: string
  id: string
  atMs: number
}

export type FromHooks = { kind: 'listening'; port: number } | { kind: 'arrivals'; arrivals: HookArrival[] }

/** Requests to paths with this prefix get no response. */
export const HANGS = '/hangs'

export interface Hooks {
  /** `http://127.0.0.1:<port>` */
  url: string
  /** In order of arrival. */
  readonly arrivals: readonly HookArrival[]
  stop(): Promise<void>
}

/** Starts webhook endpoints in a separate process. Each path is an endpoint. */
export async function startHooks(): Promise<Hooks> {
  const program = join(import.meta.dirname, 'hooks-process.ts')
  const child = startChild(NODE, [program], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const arrivals: HookArrival[] = []
  const [first] = (await once(child, 'message')) as [FromHooks]
  if (first.kind !== 'listening') throw new Error('the endpoints are not listening')
  child.on('message', (message: FromHooks) => {
    if (message.kind === 'arrivals') for (const arrival of message.arrivals) arrivals.push(arrival)
  })
  return { url: `http://127.0.0.1:${first.port}`, arrivals, stop: () => stopChild(child) }
}

import { join } from 'node:path'
import { NODE, runChild } from './children.ts'

/** `POST /emails` with its fields or from a template; `POST /emails/mime`. */
export type LoadForm = 'fields' | 'template' | 'mime'

export interface LoadSender {
  key: string
  from: string
  /** For the form `template`. */
  templateId?: string
}

/** What the load generator is to send. */
export interface LoadOrder {
  port: number
  connections: number
  count: number
  timeLimitMs: number
  /** Requests are spread over these evenly. */
  senders: readonly LoadSender[]
  recipientDomain: string
  /** What a request holds; `fields` when it is not given. */
  form?: LoadForm
}

export interface LoadResult {
  seconds: number
  accepted: number
  refused: number
  firstApiError: string | null
}

/** Runs the load generator in a process of its own. Throws unless every request is accepted. */
export async function sendLoad(order: LoadOrder): Promise<LoadResult> {
  const program = join(import.meta.dirname, 'load.ts')
  const timeoutMs = order.timeLimitMs + 10_000
  const { code, stdout, stderr } = await runChild(NODE, [program, JSON.stringify(order)], { timeoutMs })
  if (code !== 0) throw new Error(`the load generator failed: ${stderr.slice(-1_000)}`)
  const result = JSON.parse(stdout) as LoadResult
  if (result.refused > 0)
    throw new Error(`${result.refused} of ${order.count} refused, the first: ${result.firstApiError}`)
  return result
}

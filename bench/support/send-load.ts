import { join } from 'node:path'
import { NODE, runChild } from './children.ts'

/** The form of the requests: `POST /emails` with fields or with a template, or `POST /emails/mime`. */
export type LoadForm = 'fields' | 'template' | 'mime'

export interface LoadSender {
  key: string
  from: string
  /** Required for the form `template`. */
  templateId?: string
}

/** The orders for the load generator. */
export interface LoadOrder {
  port: number
  connections: number
  count: number
  timeLimitMs: number
  /** Requests are spread evenly over these senders. */
  senders: readonly LoadSender[]
  recipientDomain: string
  /** The form of the requests; the default is `fields`. */
  form?: LoadForm
}

export interface LoadResult {
  seconds: number
  accepted: number
  refused: number
  firstError: string | null
}

export interface LoadOptions {
  /** Lets the server under test go first on the processors that it shares with the load generator. */
  isNiced?: boolean
  /** Ends the load generator. The promise is then rejected. */
  signal?: AbortSignal
}

const NICED = ['-n', '10', NODE]

/** Runs the load generator in a separate process. Throws unless every request is accepted. */
export async function sendLoad(
  order: LoadOrder,
  { isNiced = false, signal }: LoadOptions = {},
): Promise<LoadResult> {
  const program = join(import.meta.dirname, 'load.ts')
  const timeoutMs = order.timeLimitMs + 10_000
  const args = [program, JSON.stringify(order)]
  const options = { timeoutMs, ...(signal && { signal }) }
  const { code, stdout, stderr } = isNiced
    ? await runChild('nice', [...NICED, ...args], options)
    : await runChild(NODE, args, options)
  if (code !== 0) throw new Error(`the load generator failed: ${stderr.slice(-1_000)}`)
  const result = JSON.parse(stdout) as LoadResult
  if (result.refused > 0)
    throw new Error(`${result.refused} of ${order.count} refused, the first: ${result.firstError}`)
  return result
}

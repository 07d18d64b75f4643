import { type Agent, request } from 'undici'
import { ApiError } from '../../lib/api-error.ts'
import type { Guard } from '../../lib/net/egress-guard.ts'
import { createGuardedAgent } from '../../lib/net/guarded-agent.ts'

/** A file behind a customer's URL, or why it was not fetched (the end of a sentence about the field). */
export type FetchFile = (
  url: string,
  bytesMax: number,
  allowance?: FetchAllowance,
) => Promise<{ content: Buffer; filename: string; contentType?: string } | { problem: string }>

/** What is left to the request that a file belongs to (request-files.ts). */
export interface FetchAllowance {
  /** Aborts when the request's time is over. */
  signal: AbortSignal
  /** Takes memory for what has arrived. Throws ApiError when there is none. */
  hold(bytes: number): void
}

const TIMEOUT_MS = 15_000
const URL_LENGTH_MAX = 2048

/** The server's response is not a file that can be attached. */
class WrongAnswer extends Error {}

interface FetcherOptions {
  guard: Guard
  /** The ports that a URL may name; `any`: all. */
  ports: readonly number[] | 'any'
  addressesOf(host: string): Promise<readonly string[]>
  timeoutMs?: number
}

/**
 * Fetches attachment URLs: http and https only, on the ports given, every address that the name resolves to is judged by
 * the guard at connect time, redirects are not followed, size and time are bounded (ACC-16, NET-1).
 */
export function createFileFetcher({ guard, ports, addressesOf, timeoutMs = TIMEOUT_MS }: FetcherOptions): {
  fetchFile: FetchFile
  close(): Promise<void>
} {
  const agent = createGuardedAgent({ guard, timeoutMs, addressesOf })
  const fetchFile: FetchFile = async (text, bytesMax, allowance) => {
    const url = readUrl(text)
    if (url === null) return { problem: 'must be an http or https URL' }
    if (ports !== 'any' && !ports.includes(portOf(url))) {
      return { problem: `must be a URL on port ${ports.join(' or ')}` }
    }
    try {
      return await download(agent, url, bytesMax, timeoutMs, allowance)
    } catch (error) {
      if (error instanceof ApiError) throw error
      return { problem: `could not be fetched: ${reasonOf(error)}` }
    }
  }
  return { fetchFile, close: () => agent.close() }
}

function readUrl(text: string): URL | null {
  if (text.length > URL_LENGTH_MAX || !URL.canParse(text)) return null
  const url = new URL(text)
  return (url.protocol === 'http:' || url.protocol === 'https:') && url.username === '' && url.password === ''
    ? url
    : null
}

function portOf({ port, protocol }: URL): number {
  if (port !== '') return Number(port)
  return protocol === 'https:' ? 443 : 80
}

async function download(
  agent: Agent,
  url: URL,
  bytesMax: number,
  timeoutMs: number,
  allowance: FetchAllowance | undefined,
) {
  const ownTime = AbortSignal.timeout(timeoutMs)
  const signal = allowance === undefined ? ownTime : AbortSignal.any([ownTime, allowance.signal])
  const answer = await request(url, {
    dispatcher: agent,
    signal,
    headers: { 'user-agent': 'Sendwright', 'accept-encoding': 'identity' },
  })
  if (answer.statusCode !== 200) {
    answer.body.on('error', () => {}).destroy()
    throw new WrongAnswer(`the server answered ${answer.statusCode}`)
  }
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of answer.body) {
    bytes += (part as Buffer).length
    if (bytes > bytesMax) throw new WrongAnswer(`it is larger than ${bytesMax} bytes`)
    allowance?.hold((part as Buffer).length)
    parts.push(part as Buffer)
  }
  const type = answer.headers['content-type']
  const contentType = typeof type === 'string' ? type.split(';')[0]?.trim() : undefined
  const filename = lastSegment(url)
  const content = Buffer.concat(parts)
  return contentType === undefined ? { content, filename } : { content, filename, contentType }
}

function lastSegment(url: URL): string {
  const segment = url.pathname.split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(segment) || 'attachment'
  } catch {
    return segment || 'attachment'
  }
}

/** The same text for a closed, filtered or non-HTTP port, a name without addresses, and an address that is not allowed. */
const NO_ANSWER = 'no server at a public address gave it in time'

/** Returns text for the caller. It reveals nothing about our network: otherwise attachments could scan ports. */
function reasonOf(error: unknown): string {
  return error instanceof WrongAnswer ? error.message : NO_ANSWER
}

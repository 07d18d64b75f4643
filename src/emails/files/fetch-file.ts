import { type Agent, request } from 'undici'
import { ApiError } from '../../lib/api-error.ts'
import type { Guard } from '../../lib/net/egress-guard.ts'
import { createGuardedAgent } from '../../lib/net/guarded-agent.ts'

/** Fetches the file at a customer's URL. Returns the file, or the problem as the end of a sentence about the field. */
export type FetchFile = (
  url: string,
  bytesMax: number,
  allowance?: FetchAllowance,
) => Promise<{ content: Buffer; filename: string; contentType?: string } | { problem: string }>

/** Limits of the request that a file belongs to (request-files.ts). */
export interface FetchAllowance {
  /** Aborts when the request's time is used up. */
  signal: AbortSignal
  /** Reserves memory for received bytes. Throws ApiError if none is left. */
  hold(bytes: number): void
}

const TIMEOUT_MS = 15_000
const URL_LENGTH_MAX = 2048

/** The server's response is not a file that can be attached. */
class UnusableResponse extends Error {}

interface FetcherOptions {
  guard: Guard
  /** The ports that a URL may name; `any` allows all. */
  ports: readonly number[] | 'any'
  addressesOf(host: string): Promise<readonly string[]>
  timeoutMs?: number
}

/**
 * Creates a fetcher of attachment URLs. It allows only http and https on the given ports, checks every resolved
 * address at connect time, never follows redirects, and bounds size and time (ACC-16, NET-1).
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
  const response = await request(url, {
    dispatcher: agent,
    signal,
    headers: { 'user-agent': 'Sendwright', 'accept-encoding': 'identity' },
  })
  if (response.statusCode !== 200) {
    response.body.on('error', () => {}).destroy()
    throw new UnusableResponse(`the server answered ${response.statusCode}`)
  }
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of response.body) {
    bytes += (part as Buffer).length
    if (bytes > bytesMax) throw new UnusableResponse(`it is larger than ${bytesMax} bytes`)
    allowance?.hold((part as Buffer).length)
    parts.push(part as Buffer)
  }
  const type = response.headers['content-type']
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

/** The same text for a closed, filtered or non-HTTP port, a name without addresses, and a forbidden address. */
const NO_RESPONSE = 'no server at a public address returned it in time'

/**
 * Returns the reason as text for the caller. The text reveals nothing about our network, so that attachments
 * cannot scan ports.
 */
function reasonOf(error: unknown): string {
  return error instanceof UnusableResponse ? error.message : NO_RESPONSE
}

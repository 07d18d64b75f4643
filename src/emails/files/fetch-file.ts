import { type Agent, type Dispatcher, request } from 'undici'
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
 * address at connect time, and bounds redirects, size and time (ACC-16, NET-1).
 */
export function createFileFetcher({ guard, ports, addressesOf, timeoutMs = TIMEOUT_MS }: FetcherOptions): {
  fetchFile: FetchFile
  /** Ends the downloads in progress. Their emails are neither accepted nor rejected: requests get 503. */
  close(): Promise<void>
} {
  const agent = createGuardedAgent({ guard, timeoutMs, addressesOf })
  let isClosed = false
  const fetchFile: FetchFile = async (text, bytesMax, allowance) => {
    const url = readUrl(text)
    if (url === null) return { problem: 'must be an http or https URL' }
    const isAllowed = (one: URL) => ports === 'any' || ports.includes(portOf(one))
    if (!isAllowed(url)) return { problem: `must be a URL on port ${(ports as number[]).join(' or ')}` }
    const ownTime = AbortSignal.timeout(timeoutMs)
    const signal = allowance === undefined ? ownTime : AbortSignal.any([ownTime, allowance.signal])
    try {
      const opened = await openFile(agent, url, signal, isAllowed)
      return await download(opened, bytesMax, allowance)
    } catch (error) {
      if (error instanceof ApiError) throw error
      if (isClosed) throw new ApiError('service_unavailable', undefined, { retryAfterSeconds: 1 })
      return { problem: `could not be fetched: ${reasonOf(error)}` }
    }
  }
  return {
    fetchFile,
    close() {
      isClosed = true
      return agent.destroy()
    },
  }
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

const REDIRECTS_MAX = 5
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

interface OpenedFile {
  url: URL
  response: Dispatcher.ResponseData
}

/** Requests the file and follows redirects. Each is a request of its own, so the guard checks each address. */
async function openFile(
  agent: Agent,
  first: URL,
  signal: AbortSignal,
  isAllowed: (url: URL) => boolean,
): Promise<OpenedFile> {
  let url = first
  for (let redirects = 0; ; redirects++) {
    const response = await request(url, {
      dispatcher: agent,
      signal,
      headers: { 'user-agent': 'Sendwright', 'accept-encoding': 'identity' },
    })
    if (response.statusCode === 200) return { url, response }
    response.body.on('error', () => {}).destroy()
    const { location } = response.headers
    if (!REDIRECTS.has(response.statusCode) || typeof location !== 'string') {
      throw new UnusableResponse(`the server answered ${response.statusCode}`)
    }
    if (redirects === REDIRECTS_MAX) {
      throw new UnusableResponse(`the server redirected more than ${REDIRECTS_MAX} times`)
    }
    const next = readRedirect(location, url)
    if (next === null || !isAllowed(next))
      throw new UnusableResponse('the server redirected to a forbidden URL')
    url = next
  }
}

/** Returns the target of a redirect, or null if it must not be followed: never from https to http. */
export function readRedirect(location: string, from: URL): URL | null {
  // Servers send UTF-8, which Node.js reads as ISO 8859-1.
  const text = Buffer.from(location, 'latin1').toString()
  const url = URL.canParse(text, from.href) ? readUrl(new URL(text, from).href) : null
  return url === null || (from.protocol === 'https:' && url.protocol !== 'https:') ? null : url
}

async function download(
  { url, response }: OpenedFile,
  bytesMax: number,
  allowance: FetchAllowance | undefined,
) {
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

const REQUEST_TIMEOUT_MS = 30_000
/** No authority's limit lasts longer: Let's Encrypt's longest window is a week. */
const WAIT_MAX_MS = 7 * 86_400_000
/** The statuses with which a server asks to wait (RFC 8555 section 6.6, RFC 9110 section 15.6.4). */
const BUSY = new Set([429, 503])

/** The certificate authority asks to wait. */
export class AcmeBusy extends Error {
  readonly waitMs: number

  constructor(message: string, waitMs: number) {
    super(message)
    this.waitMs = waitMs
  }
}

/**
 * Loads the library for ACME, which takes a moment, and few processes ever need it. Its retries are off: a rate limit may
 * last for hours. The scheduler retries, so that a stop does not wait for the library.
 */
export async function loadLibrary() {
  loading ??= prepareLibrary()
  return loading
}

let loading: ReturnType<typeof prepareLibrary> | null = null

async function prepareLibrary() {
  const library = await import('acme-client')
  const { axios } = library
  axios.defaults.timeout = REQUEST_TIMEOUT_MS
  Object.assign(axios.defaults, { acmeSettings: { retryMaxAttempts: 0, retryDefaultDelay: 1 } })
  axios.interceptors.response.use((response) => {
    const waitMs = readRetryAfter(response.headers['retry-after'], Date.now())
    if (!BUSY.has(response.status) || waitMs === null) return response
    throw new AcmeBusy(
      response.data?.detail ?? `The certificate authority answered ${response.status}.`,
      waitMs,
    )
  })
  return library
}

/** Returns the time that Retry-After asks for (RFC 9110 section 10.2.3), bounded; null if it names none. */
export function readRetryAfter(value: unknown, nowMs: number): number | null {
  if (typeof value !== 'string') return null
  const waitMs = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - nowMs
  return Number.isNaN(waitMs) || waitMs <= 0 ? null : Math.min(waitMs, WAIT_MAX_MS)
}

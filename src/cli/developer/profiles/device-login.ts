import { hostname } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { CommandError } from '../failures.ts'
import { openBrowser, readWebPage } from '../open-browser.ts'
import { formatCell } from '../output.ts'

// The device authorization grant of RFC 8628: the terminal shows a code, and a person confirms it in the dashboard.

interface StartedLogin {
  device_code: string
  user_code: string
  verification_uri_complete: string
  expires_in: number
  interval: number
}

interface Reply {
  status: number
  body: { name?: string; message?: string; token?: string }
}

const INTERVAL_DEFAULT_SECONDS = 5
const INTERVAL_MIN_SECONDS = 1
const INTERVAL_MAX_SECONDS = 60
/** The reaction to `slow_down` (RFC 8628 section 3.5). */
const SLOWER_BY_SECONDS = 5
const REQUEST_TIMEOUT_MS = 30_000
/** Responses of earlier versions, and of other servers, to an unknown path. */
const UNKNOWN_PATH = [401, 404, 405]

/** Returns the API key that a person creates by confirming the login. Throws CommandError. */
export async function logInByBrowser(url: string, isOpening: boolean): Promise<string> {
  const login = await start(url)
  const page = readWebPage(login.verification_uri_complete)
  if (page === null) {
    throw new CommandError('The server returned no page to open. Run "sendwright login --key".')
  }
  const isOpen = isOpening && (await openBrowser(page))
  const code = formatCell(login.user_code)
  process.stderr.write(`${isOpen ? 'Opened' : 'Open'} ${page}\nConfirm that it shows this code: ${code}\n`)
  return waitForKey(url, login)
}

async function start(url: string): Promise<StartedLogin> {
  const reply = await post(url, '/device-logins', { client_name: hostname() || 'unknown' })
  if (reply === null) throw new CommandError(`${url} cannot be reached. Check that the server runs.`)
  if (reply.status === 201) return reply.body as StartedLogin
  if (UNKNOWN_PATH.includes(reply.status)) {
    throw new CommandError(
      'This server does not support login in the browser. Create a key in its dashboard, then run "sendwright login --key".',
    )
  }
  throw new CommandError(
    formatCell(reply.body.message ?? `The server responded with status ${reply.status}.`),
  )
}

/**
 * Returns the seconds between two polls. The server chooses them: without bounds, the program could poll without a pause.
 * @param interval from JSON, so anything; without a number, it is 5 (RFC 8628 section 3.2)
 */
export function boundInterval(interval: unknown): number {
  const seconds = Number(interval) || INTERVAL_DEFAULT_SECONDS
  return Math.min(Math.max(seconds, INTERVAL_MIN_SECONDS), INTERVAL_MAX_SECONDS)
}

/** Polls until the login is confirmed, rejected or expired. Continues while the server is unavailable. */
async function waitForKey(url: string, login: StartedLogin): Promise<string> {
  const endsAtMs = performance.now() + login.expires_in * 1000
  let waitSeconds = boundInterval(login.interval)
  while (performance.now() < endsAtMs) {
    await pause(waitSeconds * 1000)
    const reply = await post(url, '/device-logins/token', { device_code: login.device_code })
    if (reply === null || reply.status >= 500) continue
    const { token, name, message } = reply.body
    if (token !== undefined) return token
    if (name === 'slow_down' || reply.status === 429) waitSeconds += SLOWER_BY_SECONDS
    else if (name !== 'authorization_pending')
      throw new CommandError(formatCell(message ?? 'The login failed.'))
  }
  throw new CommandError('Nobody confirmed this login in time. Run "sendwright login" again.')
}

/** Returns null if there is no response. */
async function post(url: string, path: string, body: object): Promise<Reply | null> {
  try {
    const response = await fetch(url + path, {
      method: 'POST',
      redirect: 'error',
      headers: { 'content-type': 'application/json', 'user-agent': 'sendwright-cli' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    })
    const text = await response.text()
    return { status: response.status, body: parse(text) }
  } catch {
    return null
  }
}

function parse(text: string): Reply['body'] {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}

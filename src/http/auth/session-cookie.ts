import { readCookie, writeCookie } from './cookies.ts'

const NAME = 'sendwright_session'
/** 256 bits in base64url. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/

/** Returns the session's token, or null if there is none or more than one. */
export function readSessionCookie(header: string | undefined, publicUrl: string): string | null {
  const value = readCookie(header, NAME, publicUrl)
  return value !== null && TOKEN.test(value) ? value : null
}

/**
 * Returns the value of `Set-Cookie`. SameSite is Strict: a link from another site loads a page that then sends the
 * cookie itself.
 */
export function writeSessionCookie(token: string, lifetimeMs: number, publicUrl: string): string {
  return writeCookie({ name: NAME, value: token, lifetimeMs, sameSite: 'Strict' }, publicUrl)
}

export function clearSessionCookie(publicUrl: string): string {
  return writeSessionCookie('', 0, publicUrl)
}

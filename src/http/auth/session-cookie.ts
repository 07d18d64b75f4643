/** 256 bits in base64url. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/
const COOKIES_LENGTH_MAX = 16_384

/** `__Host-` (RFC 6265bis section 4.1.3.2): bound to this host and all its paths, and only with TLS. */
function cookieName(publicUrl: string): string {
  return isSecure(publicUrl) ? '__Host-sendwright_session' : 'sendwright_session'
}

function isSecure(publicUrl: string): boolean {
  return publicUrl.startsWith('https://')
}

/** Returns the session's token, or null if there is none or more than one: another party may have set one of them. */
export function readSessionCookie(header: string | undefined, publicUrl: string): string | null {
  if (header === undefined || header.length > COOKIES_LENGTH_MAX) return null
  const prefix = `${cookieName(publicUrl)}=`
  const values = header
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(prefix))
    .map((part) => part.slice(prefix.length))
  const [value, other] = values
  return value !== undefined && other === undefined && TOKEN.test(value) ? value : null
}

/**
 * Returns the value of `Set-Cookie`. SameSite is Strict: a link from another site loads a page that then sends the
 * cookie itself.
 */
export function writeSessionCookie(token: string, lifetimeMs: number, publicUrl: string): string {
  const secure = isSecure(publicUrl) ? '; Secure' : ''
  const maxAge = Math.floor(lifetimeMs / 1000)
  return `${cookieName(publicUrl)}=${token}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Strict${secure}`
}

export function clearSessionCookie(publicUrl: string): string {
  return writeSessionCookie('', 0, publicUrl)
}

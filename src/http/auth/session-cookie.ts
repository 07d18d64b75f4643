/** 256 bits in base64url. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/
const COOKIES_LENGTH_MAX = 16_384

/** `__Host-` (RFC 6265bis section 4.1.3.2): no other host, no other path, and never without TLS. */
function cookieName(publicUrl: string): string {
  return isSecure(publicUrl) ? '__Host-sendwright_session' : 'sendwright_session'
}

function isSecure(publicUrl: string): boolean {
  return publicUrl.startsWith('https://')
}

/** The session's token; null where there is none, or where two are: one of them would be somebody else's doing. */
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

/** For `Set-Cookie`. Strict: a link from anywhere else leads to a page that asks again from within. */
export function writeSessionCookie(token: string, lifetimeMs: number, publicUrl: string): string {
  const secure = isSecure(publicUrl) ? '; Secure' : ''
  const maxAge = Math.floor(lifetimeMs / 1000)
  return `${cookieName(publicUrl)}=${token}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Strict${secure}`
}

export function clearSessionCookie(publicUrl: string): string {
  return writeSessionCookie('', 0, publicUrl)
}

const COOKIES_LENGTH_MAX = 16_384

interface Cookie {
  /** Without the prefix that TLS allows. */
  name: string
  value: string
  lifetimeMs: number
  sameSite: 'Strict' | 'Lax'
}

/** Returns the name of a cookie. `__Host-` (RFC 6265bis section 4.1.3.2): bound to this host, and only with TLS. */
function fullName(name: string, publicUrl: string): string {
  return isSecure(publicUrl) ? `__Host-${name}` : name
}

function isSecure(publicUrl: string): boolean {
  return publicUrl.startsWith('https://')
}

/** Returns the value of a cookie, or null if there is none or more than one: another party may have set one of them. */
export function readCookie(header: string | undefined, name: string, publicUrl: string): string | null {
  if (header === undefined || header.length > COOKIES_LENGTH_MAX) return null
  const prefix = `${fullName(name, publicUrl)}=`
  const values = header
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(prefix))
    .map((part) => part.slice(prefix.length))
  const [value, other] = values
  return value !== undefined && other === undefined ? value : null
}

/** Returns the value of `Set-Cookie` for all paths of this host. Scripts cannot read the cookie. */
export function writeCookie({ name, value, lifetimeMs, sameSite }: Cookie, publicUrl: string): string {
  const secure = isSecure(publicUrl) ? '; Secure' : ''
  const maxAge = Math.floor(lifetimeMs / 1000)
  return `${fullName(name, publicUrl)}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=${sameSite}${secure}`
}

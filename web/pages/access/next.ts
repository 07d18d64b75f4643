/** The paths of pages that need no login. A login never leads back to one of them. */
const OUTSIDE = /^\/(login|welcome|invitation|forgot|reset|enter)(\/|$)/

export interface Target {
  to: string
  search: Record<string, unknown>
  hash: string
}

/**
 * Returns the page to open after a login. `next` comes from the address: only its path, query and fragment are used,
 * below /app, so it can never lead to another host (no open redirect).
 */
export function leadTo(next: string | undefined, origin = window.location.origin): Target {
  const url = readUrl(next ?? '/', origin)
  const path = pathBelowApp(url.pathname)
  if (url.origin !== origin || OUTSIDE.test(path)) return { to: '/', search: {}, hash: '' }
  return {
    to: path === '' ? '/' : path,
    search: Object.fromEntries(url.searchParams),
    hash: url.hash.slice(1),
  }
}

/** Returns whether only users who are logged in see the page with this path. */
export const needsLogin = (pathname: string) => !OUTSIDE.test(pathBelowApp(pathname))

const pathBelowApp = (pathname: string) => pathname.replace(/^\/app(?=\/|$)/, '').replace(/^\/+/, '/')

function readUrl(next: string, origin: string): URL {
  try {
    return new URL(next, origin)
  } catch {
    return new URL(origin)
  }
}

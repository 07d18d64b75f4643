/** Where the pages of people who are not logged in stand: nobody is led back to one of them after a login. */
const OUTSIDE = /^\/(login|welcome|invitation|forgot|reset)(\/|$)/

export interface Target {
  to: string
  search: Record<string, unknown>
  hash: string
}

/**
 * Where to go after a login. Only ever a page of the dashboard: of what the address asks for, the path, the query and the
 * fragment are taken and put below /app, whatever host it names (no open redirect).
 */
export function leadTo(next: string | undefined, origin = window.location.origin): Target {
  const url = readUrl(next ?? '/', origin)
  const path = url.pathname.replace(/^\/app(?=\/|$)/, '').replace(/^\/+/, '/')
  if (url.origin !== origin || OUTSIDE.test(path)) return { to: '/', search: {}, hash: '' }
  return {
    to: path === '' ? '/' : path,
    search: Object.fromEntries(url.searchParams),
    hash: url.hash.slice(1),
  }
}

function readUrl(next: string, origin: string): URL {
  try {
    return new URL(next, origin)
  } catch {
    return new URL(origin)
  }
}

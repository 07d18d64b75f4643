import { needsLogin, pathBelowApp } from '../../api/guarded-paths.ts'

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
  // A login never leads back to a page that needs none.
  if (url.origin !== origin || !needsLogin(path)) return { to: '/', search: {}, hash: '' }
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

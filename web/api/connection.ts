import { createFlag } from './flag.ts'

/** Whether the server was away at the last request, for example while it restarts. */
export const serverAway = createFlag()

/** Returns whether the response is that of a proxy whose server is away: those of the API are JSON. */
export function isOfProxy({ status, headers }: Response): boolean {
  const isJson = headers.get('content-type')?.includes('json') === true
  return [502, 503, 504].includes(status) && !isJson
}

/** Returns whether the server would answer a reload. Without it, a reload ends at the error page of the browser. */
export async function isServerUp(): Promise<boolean> {
  const response = await fetch('/app/', { cache: 'no-store' }).catch(() => null)
  return response?.ok === true
}

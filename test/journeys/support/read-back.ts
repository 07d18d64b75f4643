import { type Operation, readCases } from './held-cases.ts'
import type { HeldServer } from './held-server.ts'
import type { LargestRequest } from './largest-requests.ts'

/**
 * Returns the requests that read an email again, including its captured copy. `accepted` is the response to its
 * acceptance.
 */
export type ReadBack = (accepted: string) => Promise<LargestRequest[]>

export function createReader(server: HeldServer, operations: readonly Operation[]): ReadBack {
  const reads = (path: string, id: string) =>
    readCases(server, operations, path, id).map(({ name, method, path: at, headers }) => ({
      name,
      send: () => server.request(method, at, headers),
    }))
  return async (accepted) => {
    await server.takeHold()
    const id = idOf(accepted)
    const { text } = await server.request('GET', '/captured?limit=1', server.asKey)
    const captured = JSON.parse(text).data[0].id as string
    return [...(id === null ? [] : reads('/emails', id)), ...reads('/captured', captured)]
  }
}

/** Finds the id in JSON or in the reply to a submitted message. */
function idOf(accepted: string): string | null {
  return /"id":"([^"]+)"/.exec(accepted)?.[1] ?? /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(accepted)?.[0] ?? null
}

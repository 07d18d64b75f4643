import { ApiError } from '../../lib/api-error.ts'
import { createFairBudget } from '../../lib/async/fair-budget.ts'
import type { FetchFile } from './fetch-file.ts'

/** The files that one request names by URL. */
export interface RequestFiles {
  fetchFile: FetchFile
  /** Releases the memory of the files after the request was answered. */
  end(): void
}

export type OpenFiles = (teamId: string) => RequestFiles

/** A batch may name a thousand files on slow servers. */
const TIMEOUT_MS = 60_000
/** The limit on the files of all requests in progress in a process. A few bytes of JSON may name tens of megabytes. */
const BYTES_MAX = 256 * 1024 * 1024
const RETRY_AFTER_SECONDS = 5

/**
 * Bounds the time and the memory of a request's files. All files together have `timeoutMs`; the rest then fail
 * as too slow. Memory is shared fairly among teams; `fetchFile` throws an ApiError (503) if none is left.
 */
export function createRequestFiles(
  fetchFile: FetchFile,
  { timeoutMs = TIMEOUT_MS, bytesMax = BYTES_MAX } = {},
): OpenFiles {
  const budget = createFairBudget(bytesMax)
  return (teamId) => {
    let heldBytes = 0
    // Most requests name no files, so the clock starts with the first one.
    let signal: AbortSignal | undefined
    const hold = (bytes: number) => {
      if (!budget.take(teamId, bytes)) {
        throw new ApiError('service_unavailable', 'Too many attachments are being fetched at once.', {
          retryAfterSeconds: RETRY_AFTER_SECONDS,
        })
      }
      heldBytes += bytes
    }
    // A request may be built again, and a server may return a file only once.
    const fetched = new Map<string, Awaited<ReturnType<FetchFile>>>()
    return {
      async fetchFile(url, fileBytesMax) {
        const hit = fetched.get(url)
        if (hit !== undefined && 'content' in hit && hit.content.length <= fileBytesMax) return hit
        signal ??= AbortSignal.timeout(timeoutMs)
        const file = await fetchFile(url, fileBytesMax, { signal, hold })
        if ('content' in file) fetched.set(url, file)
        return file
      },
      end() {
        budget.giveBack(teamId, heldBytes)
        heldBytes = 0
        fetched.clear()
      },
    }
  }
}

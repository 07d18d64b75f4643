import { ApiError } from '../../lib/api-error.ts'
import { createFairBudget } from '../../lib/async/fair-budget.ts'
import type { FetchFile } from './fetch-file.ts'

/** The files that one request names by their URLs. */
export interface RequestFiles {
  fetchFile: FetchFile
  /** The request is answered: what its files took is free again. */
  end(): void
}

export type OpenFiles = (teamId: string) => RequestFiles

/** A batch may name a thousand files, and each server may take its time. */
const TIMEOUT_MS = 60_000
/** Of all requests of a process that are under way: a few bytes of JSON may name tens of megabytes. */
const BYTES_MAX = 256 * 1024 * 1024
const RETRY_AFTER_SECONDS = 5

/**
 * Bounds what the files of a request may take: together `timeoutMs`, after which each that is left counts as too slow,
 * and memory that teams share fairly. `fetchFile` then throws an ApiError (503) where that has no room.
 */
export function createRequestFiles(
  fetchFile: FetchFile,
  { timeoutMs = TIMEOUT_MS, bytesMax = BYTES_MAX } = {},
): OpenFiles {
  const budget = createFairBudget(bytesMax)
  return (teamId) => {
    let heldBytes = 0
    // Most requests name none, so the clock starts with the first.
    let signal: AbortSignal | undefined
    const hold = (bytes: number) => {
      if (!budget.take(teamId, bytes)) {
        throw new ApiError('service_unavailable', 'Too many attachments are being fetched at once.', {
          retryAfterSeconds: RETRY_AFTER_SECONDS,
        })
      }
      heldBytes += bytes
    }
    return {
      fetchFile(url, fileBytesMax) {
        signal ??= AbortSignal.timeout(timeoutMs)
        return fetchFile(url, fileBytesMax, { signal, hold })
      },
      end() {
        budget.giveBack(teamId, heldBytes)
        heldBytes = 0
      },
    }
  }
}

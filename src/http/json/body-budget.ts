import { ApiError } from '../../lib/api-error.ts'
import { createFairBudget } from '../../lib/async/fair-budget.ts'

/** Bodies up to this size are not counted: the number of connections bounds them. */
const COUNTED_BYTES_MIN = 1024 * 1024
/** Room for three of the largest bodies, and for smaller ones beside them. */
const BYTES_MAX = 256 * 1024 * 1024
/** A large body takes some seconds to arrive and to be processed. */
const RETRY_AFTER_SECONDS = 5
/** The limit on requests that wait for memory with unread bodies. Each costs only a connection. */
const WAITING_MAX = 256

/** The body of a request as announced by its header. */
export interface AnnouncedBody {
  /** As Node.js provides them. Its parser has validated Content-Length. */
  headers: { 'content-length'?: string | undefined; 'transfer-encoding'?: string | undefined }
  /** The route's limit. */
  bytesMax: number
}

export interface BodyBudget {
  /**
   * Reserves memory for a body of a team. Returns a function that releases it, at most once, or null if the body is
   * too small to count. Throws ApiError (503) if no memory is left.
   */
  take(teamId: string, body: AnnouncedBody): (() => void) | null
  /** The same, but waits for memory. Throws the ApiError after `waitMs`, or immediately if too many requests wait. */
  takeInTime(teamId: string, body: AnnouncedBody, waitMs: number): Promise<(() => void) | null>
}

/** Creates the budget for the request bodies of a process, shared fairly among teams. */
export function createBodyBudget(bytesMax = BYTES_MAX): BodyBudget {
  const budget = createFairBudget(bytesMax)
  /** Callbacks of waiting requests, in order of arrival. */
  const waiting = new Set<() => void>()

  function take(teamId: string, body: AnnouncedBody): (() => void) | null {
    const bytes = countedBytes(body)
    if (bytes === 0) return null
    if (!budget.take(teamId, bytes)) {
      throw new ApiError('service_unavailable', 'Too many large requests are being received at once.', {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      })
    }
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      budget.giveBack(teamId, bytes)
      for (const notify of waiting) notify()
    }
  }

  async function takeInTime(teamId: string, body: AnnouncedBody, waitMs: number) {
    const endMs = performance.now() + waitMs
    for (;;) {
      try {
        return take(teamId, body)
      } catch (error) {
        if (performance.now() >= endMs || waiting.size >= WAITING_MAX) throw error
      }
      await new Promise<void>((resolve) => {
        const notify = () => {
          clearTimeout(timer)
          waiting.delete(notify)
          resolve()
        }
        const timer = setTimeout(notify, endMs - performance.now())
        waiting.add(notify)
      })
    }
  }
  return { take, takeInTime }
}

/**
 * Returns the counted size of the body: 0 if it is small, or if it exceeds the route's limit and is rejected unread.
 */
function countedBytes({ headers, bytesMax }: AnnouncedBody): number {
  const isChunked = headers['transfer-encoding'] !== undefined
  const bytes = isChunked ? bytesMax : Number(headers['content-length'] ?? 0)
  return bytes <= COUNTED_BYTES_MIN || bytes > bytesMax ? 0 : bytes
}

import { ApiError } from '../../lib/api-error.ts'
import { createFairBudget } from '../../lib/async/fair-budget.ts'

/** Bodies up to this size are not counted: what they come to is bounded by the number of connections. */
const COUNTED_BYTES_MIN = 1024 * 1024
/** Three of the largest bodies, and smaller ones beside them. */
const BYTES_MAX = 256 * 1024 * 1024
/** A large body takes some seconds to arrive and to be worked on. */
const RETRY_AFTER_SECONDS = 5
/** Requests that wait for room, their bodies unread: each costs a connection and nothing else. */
const WAITING_MAX = 256

/** What a request says of its body before it is read. */
export interface AnnouncedBody {
  /** As Node.js hands them over: a Content-Length was checked by its parser. */
  headers: { 'content-length'?: string | undefined; 'transfer-encoding'?: string | undefined }
  /** The route's largest body. */
  bytesMax: number
}

export interface BodyBudget {
  /**
   * Takes room for a body of a team. Returns what gives the room back, once however often it is called; null when the
   * body is too small to be counted. Throws ApiError (503) when there is no room.
   */
  take(teamId: string, body: AnnouncedBody): (() => void) | null
  /** The same, but waits for room. Throws the ApiError after `waitMs`, or at once when too many wait already. */
  takeInTime(teamId: string, body: AnnouncedBody, waitMs: number): Promise<(() => void) | null>
}

/** Memory for the request bodies of a process, shared fairly by its teams. */
export function createBodyBudget(bytesMax = BYTES_MAX): BodyBudget {
  const budget = createFairBudget(bytesMax)
  /** Those that wait are told in the order in which they came. */
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
      for (const tell of waiting) tell()
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
        const tell = () => {
          clearTimeout(timer)
          waiting.delete(tell)
          resolve()
        }
        const timer = setTimeout(tell, endMs - performance.now())
        waiting.add(tell)
      })
    }
  }
  return { take, takeInTime }
}

/** What the body may come to; 0 when it is not counted, or announces more than the route reads and is refused unread. */
function countedBytes({ headers, bytesMax }: AnnouncedBody): number {
  const isChunked = headers['transfer-encoding'] !== undefined
  const bytes = isChunked ? bytesMax : Number(headers['content-length'] ?? 0)
  return bytes <= COUNTED_BYTES_MIN || bytes > bytesMax ? 0 : bytes
}

import { Refusal } from '../base/refusal.ts'

/** Bodies up to this size are not counted: what they come to is bounded by the number of connections. */
const COUNTED_BYTES_MIN = 1024 * 1024
/** Three of the largest bodies, and smaller ones beside them. */
const BYTES_MAX = 256 * 1024 * 1024
/** A large body takes some seconds to arrive and to be worked on. */
const RETRY_AFTER_SECONDS = 5

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
   * body is too small to be counted. Throws Refusal (503) when there is no room.
   */
  take(teamId: string, body: AnnouncedBody): (() => void) | null
}

/**
 * Memory for the request bodies of a process. A team may hold as much as the others leave free: the first gets half of
 * all, the next half of the rest, and so on, so that whoever comes later finds room. The first body of a team needs no
 * more than room for itself.
 */
export function createBodyBudget(bytesMax = BYTES_MAX): BodyBudget {
  const heldByTeam = new Map<string, number>()
  let heldBytes = 0

  function hold(teamId: string, bytes: number): void {
    heldBytes += bytes
    const held = (heldByTeam.get(teamId) ?? 0) + bytes
    if (held === 0) heldByTeam.delete(teamId)
    else heldByTeam.set(teamId, held)
  }

  function hasRoom(teamId: string, bytes: number): boolean {
    const freeBytes = bytesMax - heldBytes
    const held = heldByTeam.get(teamId) ?? 0
    if (held === 0) return bytes <= freeBytes
    return held + bytes <= (freeBytes + held) / 2
  }

  return {
    take(teamId, body) {
      const bytes = countedBytes(body)
      if (bytes === 0) return null
      if (!hasRoom(teamId, bytes)) {
        throw new Refusal('service_unavailable', 'Too many large requests are being received at once.', {
          retryAfterSeconds: RETRY_AFTER_SECONDS,
        })
      }
      hold(teamId, bytes)
      let isHeld = true
      return () => {
        if (isHeld) hold(teamId, -bytes)
        isHeld = false
      }
    },
  }
}

/** What the body may come to; 0 when it is not counted, or announces more than the route reads and is refused unread. */
function countedBytes({ headers, bytesMax }: AnnouncedBody): number {
  const isChunked = headers['transfer-encoding'] !== undefined
  const bytes = isChunked ? bytesMax : Number(headers['content-length'] ?? 0)
  return bytes <= COUNTED_BYTES_MIN || bytes > bytesMax ? 0 : bytes
}

import type { PostOutcome } from './post.ts'

/** The outcome of one attempt. */
export type ResponseVerdict =
  | { isDelivered: true }
  | {
      isDelivered: false
      /** Shown to the endpoint's owner. */
      error: string
      /** The minimum wait that the endpoint requests. */
      retryAfterMs: number
      /** The endpoint reports that it is permanently gone. */
      isGone: boolean
    }

/** A Retry-After cannot exceed the schedule's longest wait. */
const RETRY_AFTER_MAX_MS = 10 * 3_600_000

/** Classifies a response: only 2xx is success. A redirect is a failure, because its target is unknown. */
export function classifyOutcome(outcome: PostOutcome, now: Date): ResponseVerdict {
  if (outcome.kind === 'failed') {
    return { isDelivered: false, error: outcome.error, retryAfterMs: 0, isGone: false }
  }
  const { status, retryAfter } = outcome
  if (status >= 200 && status < 300) return { isDelivered: true }
  return {
    isDelivered: false,
    error: `The server answered ${status}${status < 400 ? ': redirects are not followed' : ''}.`,
    retryAfterMs: readRetryAfter(retryAfter, now),
    isGone: status === 410,
  }
}

/**
 * Parses seconds or a date (RFC 9110 section 10.2.3). Dates must be in GMT (section 5.6.7), because Date.parse finds
 * dates in almost any text.
 */
function readRetryAfter(text: string | null, now: Date): number {
  const value = text?.trim() ?? ''
  const seconds = /^\d+$/.test(value) ? Number(value) : null
  if (seconds === null && !value.endsWith(' GMT')) return 0
  const waitMs = seconds === null ? Date.parse(value) - now.getTime() : seconds * 1000
  return Number.isNaN(waitMs) ? 0 : Math.min(Math.max(0, waitMs), RETRY_AFTER_MAX_MS)
}

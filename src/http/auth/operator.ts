import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Admission } from '../../access/rate-limit.ts'
import { ApiError } from '../../lib/api-error.ts'
import { hashToken } from '../../lib/crypto/random-token.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { readBearer } from './auth.ts'

/** The limit of one process for all operator requests. Wrong tokens are rejected before they count. */
const REQUESTS_MAX = 600
const WINDOW_MS = 60_000

/** Admits the operator by the installation's token. Throws ApiError (401) for everyone else, including teams. */
export type OperatorGate = (request: Pick<IncomingMessage, 'rawHeaders'>) => Admission

/** Creates the gate. With null, there is no token and no operator. */
export function createOperatorGate(token: string | null, clock: Clock): OperatorGate {
  const expected = token === null ? null : hashToken(token)
  let openedMs = 0
  let count = 0
  return (request) => {
    const hash = hashToken(readBearer(request))
    if (expected === null || !timingSafeEqual(hash, expected)) throw new ApiError('invalid_api_key')
    const nowMs = clock.now().getTime()
    if (Math.abs(nowMs - openedMs) >= WINDOW_MS) {
      openedMs = nowMs
      count = 0
    }
    count++
    return {
      isAdmitted: count <= REQUESTS_MAX,
      limit: REQUESTS_MAX,
      remaining: Math.max(0, REQUESTS_MAX - count),
      resetSeconds: Math.max(1, Math.ceil((openedMs + WINDOW_MS - nowMs) / 1000)),
    }
  }
}

import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Admission } from '../../access/rate-limit.ts'
import { ApiError } from '../../lib/api-error.ts'
import { hashToken } from '../../lib/crypto/random-token.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { readBearer } from './auth.ts'

/** Of one process, whoever asks; wrong tokens are refused before they count. */
const REQUESTS_MAX = 600
const WINDOW_MS = 60_000

/** Lets the operator in, by the token of the installation. Throws ApiError (401) for everybody else, teams too. */
export type OperatorGate = (request: Pick<IncomingMessage, 'rawHeaders'>) => Admission

/** Null: there is no such token, and nobody is the operator. */
export function createOperatorGate(token: string | null, clock: Clock): OperatorGate {
  const expected = token === null ? null : hashToken(token)
  let openedMs = 0
  let count = 0
  return (request) => {
    const given = hashToken(readBearer(request))
    if (expected === null || !timingSafeEqual(given, expected)) throw new ApiError('invalid_api_key')
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

import Type from 'typebox'
import type { Db } from '../db/db-types.ts'
import { type Route, routesOf } from '../http/route/route.ts'
import { ApiError } from '../lib/api-error.ts'
import { findChallenge } from './acme-queries.ts'

interface Deps {
  db: Db
}

const { route } = routesOf<Deps>()

/** Certificate authorities ask for this path on port 80, without TLS (RFC 8555 section 8.3). */
export const CHALLENGE_PATH = '/.well-known/acme-challenge/'

const answerChallenge = route('GET', `${CHALLENGE_PATH}:token`, {
  area: 'operation',
  permission: 'public',
  operationId: 'answerAcmeChallenge',
  summary: 'Answer a challenge of a certificate authority',
  description: 'Proves control of the host (RFC 8555).',
  params: Type.Object({ token: Type.String({ pattern: '^[A-Za-z0-9_-]{1,128}$' }) }),
  responses: {
    200: { description: 'The key authorization.', type: 'application/octet-stream' },
  },
  async handle({ params, deps: { db } }) {
    const answer = await findChallenge(db, params.token)
    if (answer === null) throw new ApiError('not_found')
    return { status: 200, bytes: answer, type: 'application/octet-stream' }
  },
})

/** The routes of an installation that obtains certificates. */
export const challengeRoutes: readonly Route<Deps>[] = [answerChallenge]

import { fastify } from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import type { Caller } from '../../access/caller.ts'
import { requestsMax } from '../../access/plans.ts'
import { ApiError } from '../../lib/api-error.ts'
import { CONNECTION_LIMITS } from '../connections/connections.ts'
import { createBodyBudget } from '../json/body-budget.ts'
import { type Admitting, admit } from './admit.ts'

const CALLER: Caller = {
  teamId: 'team',
  keyId: 'key',
  user: null,
  permission: 'send',
  domainId: null,
  expiresAt: null,
  plan: 'free',
  isSendingPaused: false,
}
const HEADERS = { authorization: 'Bearer secret' }
const UNUSED = () => {
  throw new Error('not used')
}

/** A server with one route for sending, whose key look-up takes until `answer` is settled. */
function givenServer(given: Partial<Admitting>) {
  const counted: string[] = []
  const app = fastify()
  onTestFinished(() => app.close())
  app.decorateRequest('caller', null).decorateRequest('session', null)
  const options: Admitting = {
    authenticate: async () => CALLER,
    sessions: { appliesTo: () => false, admit: UNUSED },
    admitOperator: UNUSED,
    limiter: {
      async admit(teamId, bucket, limit) {
        counted.push(`${teamId} ${bucket} ${limit}`)
        return { isAdmitted: true, limit, remaining: 1, resetSeconds: 60 }
      },
    },
    publicUrl: 'http://localhost',
    bodyBudget: createBodyBudget(),
    limits: CONNECTION_LIMITS,
    clientAddress: UNUSED,
    networkLimit: UNUSED,
    ...given,
  }
  const onRequest = admit.bind(null, { method: 'POST', permission: 'send', limit: 'send', area: 'operation' })
  app.post('/', {
    onRequest: (request, reply) => onRequest(request, reply, options),
    handler: async () => 'sent',
  })
  const post = async () => (await app.inject({ method: 'POST', url: '/', headers: HEADERS })).statusCode
  return { counted, post }
}

test('counted once, while its key is looked up again, when the key was valid before', async () => {
  const answer = Promise.withResolvers<Caller>()
  const expected: string[] = []
  const { counted, post } = givenServer({
    authenticate: () => answer.promise,
    guess: () => CALLER,
    expectMail: (teamId) => expected.push(teamId),
  })
  const status = post()
  await expect.poll(() => counted).toEqual([`team send ${requestsMax('free', 'send')}`])
  expect(expected).toEqual(['team'])
  answer.resolve(CALLER)
  expect(await status).toBe(200)
  expect(counted).toHaveLength(1)
})

test('counted for the plan of the team when that has changed', async () => {
  const { counted, post } = givenServer({ guess: () => ({ ...CALLER, plan: '10k' }) })
  expect(await post()).toBe(200)
  expect(counted.at(-1)).toBe(`team send ${requestsMax('free', 'send')}`)
})

test('401 for a key that was revoked, and nothing counted when it is not known to be valid', async () => {
  const authenticate = () => Promise.reject(new ApiError('invalid_api_key'))
  const { counted, post } = givenServer({ authenticate, guess: () => null })
  expect(await post()).not.toBe(200)
  expect(counted).toEqual([])
})

import { expect } from 'vitest'
import type { PlanName } from '../../src/access/plans.ts'
import { type ApiReply, exchange } from '../support/client.ts'
import { createContractJudge } from '../support/contract-judge.ts'
import { type Sender, startTestSendwright, type TestSendwright } from '../support/sendwright.ts'
import type { GivenTeam } from '../support/teams.ts'
import { bodyFor, type Kind, PATHS } from './resources.ts'

/** `ask('POST /emails', body, headers)`. A string is sent unchanged as the body. */
export type Ask = (route: string, body?: unknown, headers?: Record<string, string>) => Promise<ApiReply>

/** The environment of a row: the complete service, and a team without limits and with a verified domain. */
export interface Scene {
  service: TestSendwright
  /** Shared by all rows of a section. */
  sender: Sender
  /** Sends a request as that team. */
  ask: Ask
  /** Returns a function that sends requests with another key, or none. */
  askAs(token: string | null): Ask
  /** Creates an empty team. */
  fresh(plan?: PlanName): Promise<GivenTeam & { ask: Ask }>
  freshSender(plan?: PlanName): Promise<Sender & { ask: Ask }>
  /** Creates a record of this kind in the shared team, and returns the response. */
  // biome-ignore lint/suspicious/noExplicitAny: rows read responses freely; a wrong access fails the row
  made(kind: Kind, fields?: Record<string, unknown>): Promise<any>
  /** Returns a scene of a service in capture mode, with a separate team. */
  capturing(): Promise<Scene>
}

export interface Stage {
  /** Creates a scene with a separate team. */
  scene(): Promise<Scene>
  stop(): Promise<void>
}

/** Starts the complete service over real sockets, with a separate database, a DNS server and a receiving MX. */
export async function openStage(environment: Record<string, string> = {}): Promise<Stage> {
  const service = await startTestSendwright({ environment })
  let capture: Promise<Stage> | null = null
  const capturing = async () => {
    capture ??= openStage({ SENDWRIGHT_DELIVERY: 'capture' })
    return (await capture).scene()
  }
  return {
    scene: () => setScene(service, capturing),
    async stop() {
      if (capture !== null) await (await capture).stop()
      await service.stop()
    },
  }
}

async function setScene(service: TestSendwright, capturing: () => Promise<Scene>): Promise<Scene> {
  const sender = await service.givenSender()
  const askAs = (token: string | null): Ask => asker(service.url, token)
  const ask = askAs(sender.token)
  const scene: Scene = {
    service,
    sender,
    ask,
    askAs,
    async fresh(plan = 'unlimited') {
      const team = await service.givenTeam({ plan })
      return { ...team, ask: askAs(team.token) }
    },
    async freshSender(plan = 'unlimited') {
      const team = await service.givenSender({ plan })
      return { ...team, ask: askAs(team.token) }
    },
    made: (kind, fields) => makeRecord(scene, kind, fields),
    capturing,
  }
  return scene
}

async function makeRecord(scene: Scene, kind: Kind, fields: Record<string, unknown> = {}) {
  const body = { ...(await bodyFor(scene, kind)), ...fields }
  const reply = await scene.ask(`POST ${PATHS[kind]}`, body)
  expect(reply.status, `POST ${PATHS[kind]}: ${reply.text}`).toBe(kind === 'email' ? 202 : 201)
  return reply.json
}

/** Validates every response to a row. */
export const validator = createContractJudge()

function asker(url: string, token: string | null): Ask {
  return async (route, body, headers = {}) => {
    const [method = 'GET', path = '/'] = route.split(' ')
    const reply = await exchange(url + path, {
      method,
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    validator.witness({ ...reply, method, path: url + path, json: reply.json ?? reply.text })
    return reply
  }
}

import { expect } from 'vitest'
import type { PlanName } from '../../src/access/plans.ts'
import type { ApiReply, GivenTeam } from '../support/api.ts'
import { createContractJudge } from '../support/contract-judge.ts'
import { type Sender, startTestSendwright, type TestSendwright } from '../support/sendwright.ts'
import { bodyFor, type Kind, PATHS } from './resources.ts'

/** `ask('POST /emails', body, headers)`; a string as a body goes as it is. */
export type Ask = (route: string, body?: unknown, headers?: Record<string, string>) => Promise<ApiReply>

/** What a row finds: the assembled service, and a team without limits that owns a verified domain. */
export interface Scene {
  service: TestSendwright
  /** All rows of a section share it. */
  sender: Sender
  /** As that team. */
  ask: Ask
  /** A key of another team, or none. */
  askAs(token: string | null): Ask
  /** A team in which there is nothing. */
  fresh(plan?: PlanName): Promise<GivenTeam & { ask: Ask }>
  freshSender(plan?: PlanName): Promise<Sender & { ask: Ask }>
  /** A record of this kind in the shared team, as its creation answered. */
  // biome-ignore lint/suspicious/noExplicitAny: rows look into answers freely; a wrong look fails the row
  made(kind: Kind, fields?: Record<string, unknown>): Promise<any>
  /** The same service in capture mode, with a team of its own. */
  capturing(): Promise<Scene>
}

export interface Stage {
  /** A scene with a team of its own. */
  scene(): Promise<Scene>
  stop(): Promise<void>
}

/** Raises the assembled service over real sockets: its own database, a DNS server and a receiving MX. */
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

/** Sees every answer that a row is given. */
export const judge = createContractJudge()

function asker(url: string, token: string | null): Ask {
  return async (route, body, headers = {}) => {
    const [method = 'GET', path = '/'] = route.split(' ')
    const init: RequestInit = {
      method,
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
    }
    if (body !== undefined) init.body = typeof body === 'string' ? body : JSON.stringify(body)
    const response = await fetch(url + path, init)
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false
    const json = isJson ? JSON.parse(text) : null
    const { status, headers: fields } = response
    judge.witness({ method, path: url + path, status, headers: fields, json: isJson ? json : text })
    return { status, json, text, headers: fields }
  }
}

import { connect } from 'node:net'
import { join } from 'node:path'
import { Pool } from 'undici'
import type { Db } from '../../../src/db/db-types.ts'
import { createDatabase } from '../../support/database.ts'
import { INBOUND } from '../../support/inbound.ts'
import { givenFirstOwner } from '../../support/people.ts'
import { findFreePort } from '../../support/ports.ts'
import { givenSenderAt, type Sender } from '../../support/sendwright.ts'
import { makeWorld, type World } from '../../support/world.ts'
import { until } from './children.ts'
import type { Hold } from './hold-probe.ts'
import { createInstallation, START_LIMIT_MS, STARTED } from './installation.ts'

const ROLES = 'api,deliver,inbound,webhooks,scheduler'
export const FEEDBACK = 'complaints@mail.sender.test'

export interface HeldServer {
  url: string
  /** The id of the server's process. */
  pid: number
  db: Db
  submissionsPort: number
  inboundPort: number
  ann: Sender
  world: World
  /** Headers for an API key, and for an owner's session. */
  asKey: Record<string, string>
  asOwner: Record<string, string>
  request(method: string, path: string, headers: Record<string, string>, body?: Buffer): Promise<Answer>
  /** Resolves to the longest hold since the last call, after background work of the server has ended. */
  takeHold(): Promise<Hold>
  stop(): Promise<void>
}

export interface Answer {
  status: number
  text: string
}

const PROBE = new URL('hold-probe.ts', import.meta.url).href

/** Starts a complete server in a separate process, in capture mode, which reports its holds. */
export async function startHeldServer(): Promise<HeldServer> {
  const database = await createDatabase()
  const installation = await createInstallation(database.url)
  const probePath = join(installation.directory, 'hold.sock')
  const [submissionsPort, inboundPort] = [await findFreePort(), await findFreePort()]
  const server = installation.serve({
    roles: ROLES,
    environment: {
      ...INBOUND,
      SENDWRIGHT_DELIVERY: 'capture',
      SENDWRIGHT_INBOUND_PORT: `${inboundPort}`,
      SENDWRIGHT_SUBMISSIONS_PORT: `${submissionsPort}`,
      SENDWRIGHT_FEEDBACK_ADDRESS: FEEDBACK,
      NODE_OPTIONS: `--import ${PROBE}`,
      HOLD_PROBE_PATH: probePath,
      ...(process.env.HOLD_PROBE_PROFILE === undefined ? {} : { HOLD_PROBE_PROFILE: '1' }),
    },
  })
  await server.waitForLine(STARTED, START_LIMIT_MS)
  const { url } = installation
  const ann = await givenSenderAt(url, database.db, installation.dns, 'one.sender.test')
  const world = await makeWorld(ann, url)
  const owner = await givenFirstOwner({ url, db: database.db })
  const client = new Pool(url, { connections: 2, headersTimeout: 120_000, bodyTimeout: 120_000 })
  return {
    url,
    pid: server.pid,
    db: database.db,
    submissionsPort,
    inboundPort,
    ann,
    world,
    asKey: { authorization: `Bearer ${ann.token}` },
    asOwner: {
      cookie: owner.cookie ?? '',
      'x-sendwright-team': owner.teamId,
      'sec-fetch-site': 'same-origin',
    },
    async request(method, path, headers, body) {
      const given = body === undefined ? {} : { body }
      const reply = await client.request({
        method: method.toUpperCase() as 'POST',
        path,
        headers: { 'content-type': 'application/json', ...headers },
        ...given,
      })
      return { status: reply.statusCode, text: await reply.body.text() }
    },
    async takeHold() {
      await until('nothing is on its way', 120_000, () => isQuiet(database.db))
      return await readProbe(probePath)
    },
    async stop() {
      await client.close()
      await installation.remove()
      await database.drop()
    },
  }
}

/** Resolves when no delivery is queued, because accepted mail is still read, signed and sent afterwards. */
async function isQuiet(db: Db): Promise<true | null> {
  const rows = await db.query<{ count: number }>(
    `select count(*)::int as count from delivery where status = 'queued'`,
  )
  return rows[0]?.count === 0 ? true : null
}

async function readProbe(path: string): Promise<Hold> {
  const socket = connect(path)
  let text = ''
  for await (const chunk of socket) text += chunk
  return JSON.parse(text) as Hold
}

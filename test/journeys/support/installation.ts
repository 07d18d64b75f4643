import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SERVER } from '../../../bin/built-server.mjs'
import { NODE_ENVIRONMENT, NODE_FLAGS } from '../../../bin/node-flags.mjs'
import type { PlanName } from '../../../src/access/plans.ts'
import { openDb } from '../../../src/db/db.ts'
import { clearPostmaster, clusterDirOf } from '../../../src/db/embedded/embedded-cluster.ts'
import { connectionInfo } from '../../../src/db/embedded/embedded-postgres.ts'
import { requester } from '../../support/client.ts'
import { startDns, type TestDns } from '../../support/dns.ts'
import { findFreePort } from '../../support/ports.ts'
import { makeTeam, verifyDomain } from '../../support/teams.ts'
import { type Child, runScript, until } from './children.ts'
import { copyCluster } from './cluster.ts'
import { createMx, type JourneyMx } from './mx.ts'

/** A sending team, on the plan `unlimited` by default, with a verified domain. */
export interface Sender {
  teamId: string
  token: string
  from: string
}

/** The environment of the product: DNS, a receiving server, a directory; and the product's processes. */
export interface Installation {
  directory: string
  /** The URL of the API that `serve` starts first. */
  url: string
  dns: TestDns
  mx: JourneyMx
  /** Recipient domains, which share one site. */
  destinations: string[]
  /** The settings of servers that start from now on. */
  environment: Record<string, string>
  /**
   * Starts `sendwright serve`, which is ready when it logs so. `port` moves its API to another port than that of
   * `url`.
   */
  serve(options?: { roles?: string; port?: number; environment?: Record<string, string> }): Child
  /** Creates a team with a key and a verified domain. The API must be running. */
  createSender(domain: string, plan?: PlanName): Promise<Sender>
  /** Ends all remaining processes and removes the directory. */
  remove(): Promise<void>
}

export const STARTED = '"msg":"started"'
export const START_LIMIT_MS = 90_000
const MX_HOST = 'mx.destination.test'

/**
 * Creates an installation.
 * @param databaseUrl null for the embedded PostgreSQL
 */
export async function createInstallation(databaseUrl: string | null = null): Promise<Installation> {
  const directory = makeDirectory()
  const mx = await createMx(directory)
  const destinations = ['one', 'two', 'three'].map((name) => `${name}.destination.test`)
  const dns = await startDns({
    [MX_HOST]: { a: ['127.0.0.1'] },
    ...Object.fromEntries(destinations.map((name) => [name, { mx: [[10, MX_HOST]] }])),
  })
  const port = await findFreePort()
  const dataDir = join(directory, 'data')
  if (databaseUrl === null) copyCluster(dataDir)
  const environment = environmentOf(directory, port, dns, mx, databaseUrl)
  const processes: Child[] = []
  const installation: Installation = {
    directory,
    url: `http://127.0.0.1:${port}`,
    dns,
    mx,
    destinations,
    environment,
    serve({ roles = 'api,deliver,scheduler', port: own, environment: more } = {}) {
      const env = {
        ...NODE_ENVIRONMENT,
        ...environment,
        ...(own === undefined ? {} : { PORT: `${own}` }),
        ...more,
      }
      const child = runScript(SERVER, ['serve', '--roles', roles], { env, cwd: directory }, NODE_FLAGS)
      processes.push(child)
      return child
    },
    async createSender(domain, plan = 'unlimited') {
      const url = databaseUrl ?? connectionInfo(dataDir) ?? ''
      const db = openDb(url, { connectionsMax: 1, timeoutMs: 30_000, name: 'journey' })
      // A process of the command line for the team, and one for its key, would cost two seconds of processor time.
      const cell = environment.SENDWRIGHT_CELL ?? null
      const ask = (token: string) => requester(installation.url, token)
      const team = await makeTeam(db, ask, { name: domain, plan }, new Date(), cell)
      await db.close()
      await verifyDomain(team, domain, dns)
      return { teamId: team.id, token: team.token, from: `Shop <orders@${domain}>` }
    },
    async remove() {
      await mx.kill()
      await dns.close()
      for (const child of processes) await endProcess(child)
      // A server that exited immediately has signaled its PostgreSQL, but not waited for it.
      await clearPostmaster(clusterDirOf(dataDir))
      rmSync(directory, { recursive: true, force: true })
    },
  }
  return installation
}

/** The product's settings: direct delivery to `mx` by the names of `dns`, no SMTP listeners. */
function environmentOf(
  directory: string,
  port: number,
  dns: TestDns,
  mx: JourneyMx,
  databaseUrl: string | null,
): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '',
    PORT: `${port}`,
    // On every machine the same: most journeys kill or measure the one process of a server.
    SENDWRIGHT_WORKERS: '1',
    SENDWRIGHT_INBOUND_PORT: 'off',
    SENDWRIGHT_SUBMISSION_PORT: 'off',
    SENDWRIGHT_SUBMISSIONS_PORT: 'off',
    SENDWRIGHT_DATA_DIR: join(directory, 'data'),
    SENDWRIGHT_SECRET_KEY: 'the-journeys-own-key-of-32-characters-and-more',
    SENDWRIGHT_DELIVERY: 'direct',
    SENDWRIGHT_HOSTNAME: 'mail.sender.test',
    SENDWRIGHT_DNS_SERVERS: dns.server,
    SENDWRIGHT_MX_PORT: `${mx.port}`,
    SENDWRIGHT_ALLOW_PRIVATE_NETWORKS: 'true',
    ...(databaseUrl === null ? {} : { DATABASE_URL: databaseUrl }),
  }
}

/** Creates a directory that others may enter, as PostgreSQL runs under another account when this process is root. */
export function makeDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'sendwright-journey-'))
  chmodSync(directory, 0o755)
  return directory
}

/** Ends a process with SIGTERM first, so that a server stops its embedded PostgreSQL. */
async function endProcess(child: Child): Promise<void> {
  if (child.hasEnded) return
  child.signal('SIGTERM')
  const timer = setTimeout(() => child.signal('SIGKILL'), 10_000)
  await child.ended
  clearTimeout(timer)
}

export interface JsonReply {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: journeys read responses freely; a wrong access fails the test
  json: any
  text: string
  headers: Headers
}

export async function postJson(
  url: string,
  path: string,
  token: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<JsonReply> {
  const reply = await fetch(url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  const text = await reply.text()
  return { status: reply.status, json: JSON.parse(text), text, headers: reply.headers }
}

/** Resolves when the API at `url` reports that it is ready. */
export async function untilReady(url: string): Promise<void> {
  await until(`${url} is ready`, START_LIMIT_MS, async () => {
    const reply = await fetch(`${url}/readyz`).catch(() => null)
    return reply?.ok === true ? true : null
  })
}

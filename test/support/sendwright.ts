import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PlanName } from '../../src/access/plans.ts'
import { type Sendwright, startSendwright } from '../../src/app/start/start-sendwright.ts'
import type { ProcessRole } from '../../src/app/types.ts'
import { type Config, readConfig } from '../../src/config/config.ts'
import { openDb } from '../../src/db/db.ts'
import type { Db } from '../../src/db/db-types.ts'
import { inSchema } from '../../src/db/pool.ts'
import { createLog, type Log } from '../../src/lib/log.ts'
import { requester } from './client.ts'
import { createDatabase, type TestDatabase } from './database.ts'
import { startDns, type TestDns, type ZoneEntry } from './dns.ts'
import { startMx, type TestMx } from './mx.ts'
import type { MxOptions } from './mx-script.ts'
import { findKeptFolder } from './run-folder.ts'
import { type GivenTeam, makeTeam, verifyDomain } from './teams.ts'

/** A team that owns a verified domain. */
export interface Sender extends GivenTeam {
  domain: string
  domainId: string
  /** Returns a valid body for POST /emails, with the given fields replaced. */
  email(fields?: Record<string, unknown>): Record<string, unknown>
  /** Posts it, expects 202, and returns the id. */
  send(fields?: Record<string, unknown>, headers?: Record<string, string>): Promise<string>
  /** Resolves to the email of GET /emails/{id} when `test` returns true for it. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses freely; a wrong access fails the test
  seen(id: string, test: (email: any) => boolean): Promise<any>
  /** Resolves to the email when all its recipients are final. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses freely; a wrong access fails the test
  settled(id: string): Promise<any>
}

export interface TestSendwright {
  url: string
  /** The port of the API with TLS. */
  httpsPort: number
  /** The port for bounces, with the role `inbound`. */
  inboundPort: number
  /** The submission ports: with STARTTLS, and with TLS from the first byte. */
  submissionPort: number
  submissionsPort: number
  db: Db
  config: Config
  dns: TestDns
  /** The recipients' server at 127.0.0.1, for all destinations of `givenDestination`. */
  mx: TestMx
  givenTeam(input?: { plan?: PlanName; name?: string }): Promise<GivenTeam>
  /** Creates a team with a verified domain. `dkimEd25519` adds the second signature to its emails. */
  givenSender(input?: { plan?: PlanName; domain?: string; dkimEd25519?: boolean }): Promise<Sender>
  /** Creates a domain whose mail goes to `mx`, or to the host in `entry`. Returns its name. */
  givenDestination(entry?: ZoneEntry): string
  /** Reloads as on SIGHUP. */
  reload(): Promise<void>
  /** Stops the service and starts another over the same database, with the same roles unless given. */
  restart(environment?: Record<string, string>, roles?: readonly ProcessRole[]): Promise<void>
  stop(): Promise<void>
}

/**
 * A shared directory outside the project for servers that need a certificate, which takes long to create and is the
 * same for all.
 */
const SHARED_DATA_DIR = join(findKeptFolder(), `sendwright-tests-${process.getuid?.() ?? 0}`)
const DEADLINE_MS = 60_000
const POLL_MS = 20
const POLL_GROWTH = 1.2
const SETTLED_POLL_MAX_MS = 150

export interface SendwrightOptions {
  environment?: Record<string, string>
  mx?: MxOptions
  roles?: readonly ProcessRole[]
  log?: Log
  /** Starts it as another installation, in its own schema of the same database. */
  beside?: { service: TestSendwright; schema: string; cell: string }
}

let counter = 0

/** Starts the complete service over a new database, with a DNS server and a receiving MX, as an operator would. */
export async function startTestSendwright(options: SendwrightOptions = {}): Promise<TestSendwright> {
  const database = await databaseOf(options)
  const dns = await startDns({ 'mx.receiver.test': { a: ['127.0.0.1'] } })
  const mx = await startMx(options.mx)
  const roles = options.roles ?? ['api', 'deliver', 'scheduler']
  const ownDataDir = roles.includes('inbound') ? null : mkdtempSync(join(tmpdir(), 'sendwright-data-'))
  const own = environmentOf(database.url, dns, mx)
  const cell = options.beside?.cell ?? null
  const base = {
    ...own,
    SENDWRIGHT_DATA_DIR: ownDataDir ?? SHARED_DATA_DIR,
    ...cellOf(options),
    ...options.environment,
  }
  const log = options.log ?? createLog('warn')
  let running = await startService(base, roles, log)
  const ask = (token: string) => requester(running.service.url ?? '', token)
  const givenTeam: TestSendwright['givenTeam'] = (input = {}) =>
    makeTeam(database.db, ask, input, new Date(), cell)

  return {
    get url() {
      return running.service.url ?? ''
    },
    get httpsPort() {
      return running.service.httpsPort ?? 0
    },
    get inboundPort() {
      return running.service.inboundPort ?? 0
    },
    get submissionPort() {
      return running.service.submissionPort ?? 0
    },
    get submissionsPort() {
      return running.service.submissionsPort ?? 0
    },
    get config() {
      return running.config
    },
    db: database.db,
    dns,
    mx,
    givenTeam,
    async givenSender({ plan = 'unlimited', domain = `sender${++counter}.test`, dkimEd25519 = false } = {}) {
      const team = await givenTeam({ plan })
      const domainId = await verifyDomain(team, domain, dns, { dkim_ed25519: dkimEd25519 })
      return withSending(team, domain, domainId)
    },
    givenDestination(entry = { mx: [[10, 'mx.receiver.test']] }) {
      const name = `to${++counter}.test`
      dns.set({ [name]: entry })
      return name
    },
    reload: () => running.service.reload(),
    async restart(environment = {}, next = roles) {
      await running.service.stop()
      running = await startService({ ...base, ...environment }, next, log)
    },
    async stop() {
      await running.service.stop()
      await Promise.all([mx.close(), dns.close(), database.drop()])
      if (ownDataDir !== null) rmSync(ownDataDir, { recursive: true, force: true })
    },
  }
}

/** Returns a new database, or another schema of that of the service beside which this one starts. */
async function databaseOf({ beside }: SendwrightOptions): Promise<TestDatabase> {
  if (beside === undefined) return createDatabase()
  const url = beside.service.config.databaseUrl ?? ''
  const db = openDb(inSchema(url, beside.schema), { connectionsMax: 5, timeoutMs: 30_000, name: 'test' })
  return { url, db, drop: () => db.close() }
}

function cellOf({ beside }: SendwrightOptions): Record<string, string> {
  return beside === undefined ? {} : { SENDWRIGHT_SCHEMA: beside.schema, SENDWRIGHT_CELL: beside.cell }
}

async function startService(
  environment: Record<string, string>,
  roles: readonly ProcessRole[],
  log: Log,
): Promise<{ config: Config; service: Sendwright }> {
  const config = readConfig(environment)
  return { config, service: await startSendwright(config, { roles, log }) }
}

function environmentOf(databaseUrl: string, dns: TestDns, mx: TestMx): Record<string, string> {
  return {
    PORT: '0',
    SENDWRIGHT_INBOUND_PORT: 'off',
    SENDWRIGHT_SUBMISSION_PORT: 'off',
    SENDWRIGHT_SUBMISSIONS_PORT: 'off',
    PUBLIC_URL: 'https://api.test',
    DATABASE_URL: databaseUrl,
    SENDWRIGHT_SECRET_KEY: randomBytes(24).toString('hex'),
    SENDWRIGHT_HOSTNAME: 'mail.sendwright.test',
    SENDWRIGHT_DELIVERY: 'direct',
    SENDWRIGHT_DNS_SERVERS: dns.server,
    SENDWRIGHT_MX_PORT: String(mx.port),
    SENDWRIGHT_ALLOW_PRIVATE_NETWORKS: 'true',
    SENDWRIGHT_ATTACHMENT_PORTS: 'any',
    SENDWRIGHT_RETRY_SCHEDULE: '200ms',
    // An unreachable site is probed again soon.
    SENDWRIGHT_RULES_FILE: join(import.meta.dirname, '../fixtures/rules/quick-probes.json'),
  }
}

/** Creates a team with a verified domain, at a service that runs in another process. */
export async function givenSenderAt(url: string, db: Db, dns: TestDns, domain: string): Promise<Sender> {
  const team = await makeTeam(db, (token) => requester(url, token), {})
  return withSending(team, domain, await verifyDomain(team, domain, dns))
}

const OPEN = new Set(['scheduled', 'queued', 'delivery_delayed'])

function withSending(team: GivenTeam, domain: string, domainId: string): Sender {
  const email = (fields: Record<string, unknown> = {}) => ({
    from: `Ann <ann@${domain}>`,
    to: 'delivered@simulator.test',
    subject: 'Hello',
    text: 'It works.',
    ...fields,
  })
  const poll = async (id: string, pollMaxMs: number, test: Parameters<Sender['seen']>[1]) => {
    const until = Date.now() + DEADLINE_MS
    for (let pollMs = POLL_MS; ; pollMs = Math.min(pollMs * POLL_GROWTH, pollMaxMs)) {
      const { json, text } = await team.get(`/emails/${id}`)
      if (test(json)) return json
      if (Date.now() > until) throw new Error(`The expected state was not reached: ${text}`)
      await new Promise((resolve) => setTimeout(resolve, pollMs))
    }
  }
  return {
    ...team,
    domain,
    domainId,
    email,
    async send(fields, headers) {
      const reply = await team.post('/emails', email(fields), headers)
      if (reply.status !== 202) throw new Error(`POST /emails answered ${reply.status} ${reply.text}`)
      return reply.json.id
    },
    seen: (id, test) => poll(id, POLL_MS, test),
    // Final states stay, so a long wait asks less often.
    settled: (id) =>
      poll(
        id,
        SETTLED_POLL_MAX_MS,
        ({ recipients }) => recipients?.every((row: { status: string }) => !OPEN.has(row.status)) ?? false,
      ),
  }
}

import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openDb } from '../../../src/db/db.ts'
import type { Db } from '../../../src/db/db-types.ts'
import { connectionInfo } from '../../../src/db/embedded/embedded-postgres.ts'
import type { Child } from '../../journeys/support/children.ts'
import {
  createInstallation,
  type Installation,
  makeDirectory,
  type Sender,
  START_LIMIT_MS,
  STARTED,
} from '../../journeys/support/installation.ts'
import { createAuthority, type TestAuthority } from '../../support/certificates.ts'
import { findFreePort } from '../../support/ports.ts'
import { type Balancer, startBalancer } from './balancer.ts'

export type CellName = 'a1' | 'b2'
export const CELL_NAMES = ['a1', 'b2'] as const

/** A cell: a server with its own embedded PostgreSQL, data directory, DNS and receiving server. */
export interface Cell {
  name: CellName
  installation: Installation
  /** The host names of ops/haproxy/hosts.map, which lead to the balancer: of PUBLIC_URL, and for submission. */
  host: string
  submissionsHost: string
  /** SENDWRIGHT_HOSTNAME, which leads to the cell itself. */
  smtpHost: string
  /** The URL of its server, past the balancer. */
  url: string
  ports: { submissions: number; submission: number; inbound: number }
  sender: Sender
  /** The process that runs now. */
  server: Child
  /** Starts the server again. */
  start(): Promise<void>
  /** Opens its database. */
  openDb(): Db
}

export interface Cells {
  a1: Cell
  b2: Cell
  balancer: Balancer
  authority: TestAuthority
  /** The file with the certificate of the authority. */
  authorityPath: string
  /** Ends all processes and removes their files. */
  remove(): Promise<void>
}

const ROLES = 'api,deliver,inbound,scheduler,webhooks'

/**
 * Starts two cells behind the balancer, each with a sending team. The balancer is their only trusted proxy, and connects from
 * 127.0.0.1: other clients take another loopback address.
 * @param environments further settings
 */
export async function startCells(
  environments: Readonly<Record<CellName, Readonly<Record<string, string>>>>,
): Promise<Cells> {
  const directory = makeDirectory()
  const authority = await createAuthority()
  const authorityPath = join(directory, 'authority.pem')
  writeFileSync(authorityPath, authority.cert)
  const installations = { a1: await createInstallation(), b2: await createInstallation() }
  let balancer: Balancer | null = null
  const remove = async () => {
    await balancer?.stop()
    await Promise.all(Object.values(installations).map((installation) => installation.remove()))
    rmSync(directory, { recursive: true, force: true })
  }
  try {
    const start = (name: CellName) =>
      startCell(name, installations[name], directory, authority, environments[name])
    const [a1, b2] = await Promise.all([start('a1'), start('b2')])
    balancer = await startBalancer(directory, authority, { a1: serversOf(a1), b2: serversOf(b2) })
    return { a1, b2, balancer, authority, authorityPath, remove }
  } catch (error) {
    await remove()
    throw error
  }
}

const serversOf = ({ url, ports }: Cell) => ({
  http: Number(new URL(url).port),
  submissions: ports.submissions,
})

async function startCell(
  name: CellName,
  installation: Installation,
  directory: string,
  authority: TestAuthority,
  environment: Readonly<Record<string, string>>,
): Promise<Cell> {
  const host = `${name}.mail.example.com`
  const [submissionsHost, smtpHost] = [`smtps.${host}`, `smtp.${host}`]
  const ports = {
    submissions: await findFreePort(),
    submission: await findFreePort(),
    inbound: await findFreePort(),
  }
  const { key, cert } = await authority.issue([smtpHost, submissionsHost])
  const [certPath, keyPath] = [join(directory, `${name}.cert.pem`), join(directory, `${name}.key.pem`)]
  writeFileSync(certPath, cert)
  writeFileSync(keyPath, key)
  Object.assign(installation.environment, {
    SENDWRIGHT_CELL: name,
    PUBLIC_URL: `https://${host}`,
    SENDWRIGHT_HOSTNAME: smtpHost,
    SENDWRIGHT_TRUSTED_PROXIES: '127.0.0.1',
    SENDWRIGHT_PROXY_PROTOCOL: 'true',
    SENDWRIGHT_SUBMISSIONS_PORT: `${ports.submissions}`,
    SENDWRIGHT_SUBMISSION_PORT: `${ports.submission}`,
    SENDWRIGHT_INBOUND_PORT: `${ports.inbound}`,
    SENDWRIGHT_TLS_CERT: certPath,
    SENDWRIGHT_TLS_KEY: keyPath,
    ...environment,
  })
  const serve = async () => {
    const server = installation.serve({ roles: ROLES })
    await server.waitForLine(STARTED, START_LIMIT_MS)
    return server
  }
  const server = await serve()
  const cell: Cell = {
    name,
    installation,
    host,
    submissionsHost,
    smtpHost,
    url: installation.url,
    ports,
    server,
    sender: await installation.createSender(`sender.${name}.test`),
    async start() {
      cell.server = await serve()
    },
    openDb() {
      const url = connectionInfo(installation.environment.SENDWRIGHT_DATA_DIR ?? '') ?? ''
      return openDb(url, { connectionsMax: 1, timeoutMs: 30_000, name: 'cells' })
    },
  }
  return cell
}

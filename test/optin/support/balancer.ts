import type { LookupOptions } from 'node:dns'
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import type { LookupFunction } from 'node:net'
import { join } from 'node:path'
import { Agent, type Dispatcher } from 'undici'
import { runChild, startChild, stopChild, waitForPort } from '../../../bench/support/children.ts'
import { REPOSITORY } from '../../journeys/support/children.ts'
import type { TestAuthority } from '../../support/certificates.ts'
import { findFreePort } from '../../support/ports.ts'

const HAPROXY = '/usr/sbin/haproxy'
const FOLDER = join(REPOSITORY, 'ops', 'haproxy')
const INSTALL_TIMEOUT_MS = 300_000

/** The names in the certificate of the balancer. The first one is the address of the API for all cells. */
export const API_HOST = 'api.mail.example.com'
const WEB_HOSTS = [API_HOST, 'a1.mail.example.com', 'b2.mail.example.com', 'localhost']

/** Returns null if HAProxy is available, after installing it if necessary; otherwise a sentence with the reason. */
export async function installHaproxy(): Promise<string | null> {
  if (existsSync(HAPROXY)) return null
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get'))
    return 'HAProxy is skipped: it is not installed.'
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const install = 'apt-get update -q && apt-get install -y -q --no-install-recommends haproxy'
  const { stderr } = await runChild('/bin/sh', ['-c', install], { env, timeoutMs: INSTALL_TIMEOUT_MS })
  if (existsSync(HAPROXY)) return null
  return `HAProxy is skipped: it could not be installed (${stderr.trim().split('\n').at(-1)}).`
}

/** The ports of a cell at 127.0.0.1. */
interface Servers {
  http: number
  submissions: number
}

export interface Balancer {
  port: number
  submissionsPort: number
  /** Returns a client of all host names of the balancer. */
  clientFrom(address: string, options?: { allowH2?: boolean }): Dispatcher
  log(): string
  stop(): Promise<void>
}

/** Runs HAProxy with the published configuration, in which only addresses, ports and paths are replaced. */
export async function startBalancer(
  directory: string,
  authority: TestAuthority,
  servers: { a1: Servers; b2: Servers },
): Promise<Balancer> {
  const certificates = join(directory, 'certs')
  const { key, cert } = await authority.issue(WEB_HOSTS)
  mkdirSync(certificates)
  writeFileSync(join(certificates, 'web.pem'), `${cert}${key}`)
  const [port, submissionsPort] = [await findFreePort(), await findFreePort()]
  const configuration = replaceEach(readFileSync(join(FOLDER, 'haproxy.cfg'), 'utf8'), {
    'bind :443 ': `bind 127.0.0.1:${port} `,
    'bind :465': `bind 127.0.0.1:${submissionsPort}`,
    '10.0.1.1:8080': `127.0.0.1:${servers.a1.http}`,
    '10.0.2.1:8080': `127.0.0.1:${servers.b2.http}`,
    '10.0.1.1:465': `127.0.0.1:${servers.a1.submissions}`,
    '10.0.2.1:465': `127.0.0.1:${servers.b2.submissions}`,
    '/etc/haproxy/certs': certificates,
    '/etc/haproxy/hosts.map': join(FOLDER, 'hosts.map'),
  })
  const path = join(directory, 'haproxy.cfg')
  writeFileSync(path, configuration)
  const logPath = join(directory, 'haproxy.log')
  const log = openSync(logPath, 'a')
  const child = startChild(HAPROXY, ['-db', '-f', path], { stdio: ['ignore', log, log] })
  closeSync(log)
  await waitForPort(port, child).catch((error: Error) => {
    throw new Error(`${error.message}: ${readFileSync(logPath, 'utf8')}`)
  })
  const clients: Agent[] = []
  return {
    port,
    submissionsPort,
    clientFrom(address, { allowH2 = false } = {}) {
      const connect = { ca: authority.cert, lookup: lookUpHere }
      const client = new Agent({ allowH2, connect, localAddress: address })
      clients.push(client)
      return client
    },
    log: () => readFileSync(logPath, 'utf8'),
    async stop() {
      await Promise.all(clients.map((client) => client.destroy()))
      await stopChild(child)
    },
  }
}

/** Throws Error if a text to replace does not occur: the published file has changed. */
function replaceEach(text: string, replacements: Readonly<Record<string, string>>): string {
  return Object.entries(replacements).reduce((result, [old, next]) => {
    if (!result.includes(old)) throw new Error(`ops/haproxy/haproxy.cfg does not contain "${old}"`)
    return result.replaceAll(old, next)
  }, text)
}

type Found = Parameters<LookupFunction>[2]

/** A resolver (dns.lookup) for which every name leads to this machine. */
function lookUpHere(_name: string, { all }: LookupOptions, found: Found): void {
  if (all === true) found(null, [{ address: '127.0.0.1', family: 4 }])
  else found(null, '127.0.0.1', 4)
}

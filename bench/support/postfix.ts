import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  makeDirectory,
  removeDirectory,
  runChild,
  startChild,
  waitForExit,
  waitForPort,
  watchStray,
} from './children.ts'
import { DOMAIN, RECIPIENT_DOMAIN } from './names.ts'

/** The fate of a message after Postfix accepts it. */
export type AfterAccept =
  /** Puts it in the hold queue, so that only acceptance is measured. */
  | 'hold'
  /** Passes it through the queue manager to the deferred queue, as if the destination were down. */
  | 'defer'
  | 'deliver'

export interface PostfixOptions {
  port: number
  sinkPort: number
  /** The port of opendkim, which Postfix queries for each message that it receives. */
  milterPort?: number
}

const STOP_LIMIT_MS = 30_000

/** Debian's master.cf without the services that these messages do not need, and without chroot. */
const SERVICES = `
pickup    unix  n       -       n       60      1       pickup
cleanup   unix  n       -       n       -       0       cleanup
qmgr      unix  n       -       n       300     1       qmgr
tlsmgr    unix  -       -       n       1000?   1       tlsmgr
rewrite   unix  -       -       n       -       -       trivial-rewrite
bounce    unix  -       -       n       -       0       bounce
defer     unix  -       -       n       -       0       bounce
trace     unix  -       -       n       -       0       bounce
verify    unix  -       -       n       -       1       verify
flush     unix  n       -       n       1000?   0       flush
proxymap  unix  -       -       n       -       -       proxymap
proxywrite unix -       -       n       -       1       proxymap
smtp      unix  -       -       n       -       -       smtp
relay     unix  -       -       n       -       -       smtp
showq     unix  n       -       n       -       -       showq
error     unix  -       -       n       -       -       error
retry     unix  -       -       n       -       -       error
discard   unix  -       -       n       -       -       discard
local     unix  -       n       n       -       -       local
anvil     unix  -       -       n       -       1       anvil
scache    unix  -       -       n       -       1       scache
postlog   unix-dgram n  -       n       -       1       postlogd
`

/** A private Postfix with Debian's defaults and its own configuration, queue and log. It relays to the sink. */
export class Postfix {
  readonly #directory = makeDirectory('postfix')
  readonly #options: PostfixOptions
  #script: ReturnType<typeof startChild> | null = null

  constructor(options: PostfixOptions) {
    this.#options = options
    for (const name of ['queue', 'data']) mkdirSync(join(this.#directory, name))
    watchStray(() => this.#readMasterPid(), 'SIGTERM')
    writeFileSync(this.#logPath(), '')
    // The processes of Postfix that have dropped root privileges write to these.
    execFileSync('chown', ['postfix', join(this.#directory, 'data'), this.#logPath()])
    writeFileSync(
      join(this.#directory, 'master.cf'),
      `127.0.0.1:${options.port} inet n - n - - smtpd${SERVICES}`,
    )
  }

  /** The root of this Postfix's process tree: the script that starts its master. */
  get pid(): number {
    if (this.#script?.pid === undefined) throw new Error('Postfix is not running')
    return this.#script.pid
  }

  /**
   * Resolves when the port accepts connections. With `wait: false`, resolves immediately, for measurements that
   * include the start.
   */
  async start(afterAccept: AfterAccept, { wait = true } = {}): Promise<void> {
    writeFileSync(join(this.#directory, 'main.cf'), this.#settings(afterAccept))
    this.#script = startChild('/usr/sbin/postfix', ['-c', this.#directory, 'start-fg'])
    if (wait) await waitForPort(this.#options.port, this.#script)
  }

  async stop(): Promise<void> {
    const master = this.#readMasterPid()
    // The script would leave its master running. master(8) ends all its children, and then the script exits.
    if (master !== null) process.kill(master, 'SIGTERM')
    if (this.#script !== null) await waitForExit(this.#script, STOP_LIMIT_MS)
    this.#script = null
  }

  /** Releases held messages. Call it while Postfix is stopped. The next start skips the check of the whole queue. */
  async releaseHeld(): Promise<void> {
    writeFileSync(join(this.#directory, 'queue', 'quick-start'), '')
    const { code, stderr } = await runChild('/usr/sbin/postsuper', ['-c', this.#directory, '-H', 'ALL'])
    if (code !== 0) throw new Error(`postsuper failed: ${stderr}`)
  }

  remove(): void {
    removeDirectory(this.#directory)
  }

  /** Returns null if Postfix is not running or not yet started. */
  #readMasterPid(): number | null {
    if (this.#script === null) return null
    try {
      return Number.parseInt(readFileSync(join(this.#directory, 'queue', 'pid', 'master.pid'), 'latin1'), 10)
    } catch {
      return null
    }
  }

  #logPath(): string {
    return join(this.#directory, 'log')
  }

  #settings(afterAccept: AfterAccept): string {
    const { sinkPort, milterPort } = this.#options
    const rows = [
      'compatibility_level = 3.6',
      `queue_directory = ${join(this.#directory, 'queue')}`,
      `data_directory = ${join(this.#directory, 'data')}`,
      `maillog_file = ${this.#logPath()}`,
      `maillog_file_prefixes = ${this.#directory}`,
      `myhostname = mail.${DOMAIN}`,
      'mydestination =',
      'alias_maps =',
      'inet_interfaces = 127.0.0.1',
      'inet_protocols = ipv4',
      'mynetworks = 127.0.0.0/8',
      'smtpd_relay_restrictions = permit_mynetworks, reject',
      `relayhost = [127.0.0.1]:${sinkPort}`,
      'smtp_tls_security_level = none',
    ]
    if (afterAccept === 'hold') rows.push('smtpd_client_restrictions = check_client_access static:HOLD')
    if (afterAccept === 'defer') rows.push('defer_transports = smtp')
    if (milterPort !== undefined) rows.push(`smtpd_milters = inet:127.0.0.1:${milterPort}`)
    return `${rows.join('\n')}\n`
  }
}

export interface SmtpLoad {
  port: number
  sessions: number
  count: number
  messagePath: string
  /** False to open a connection for each message. */
  keepAlive: boolean
  timeLimitMs: number
}

/** Sends copies of one message with smtp-source, to numbered recipients. Returns the duration in seconds. */
export async function sendSmtpLoad(load: SmtpLoad): Promise<number> {
  const args = ['-N', '-s', `${load.sessions}`, '-m', `${load.count}`, '-F', load.messagePath]
  if (load.keepAlive) args.push('-d')
  args.push('-f', `orders@${DOMAIN}`, '-t', `customer@${RECIPIENT_DOMAIN}`, `127.0.0.1:${load.port}`)
  const startedAt = performance.now()
  const { code, stderr } = await runChild('/usr/sbin/smtp-source', args, { timeoutMs: load.timeLimitMs })
  if (code !== 0) throw new Error(`smtp-source failed: ${stderr.slice(-500)}`)
  return (performance.now() - startedAt) / 1000
}

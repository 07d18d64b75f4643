import { closeSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { connectionInfo } from '../../src/db/embedded/embedded-postgres.ts'
import { startDns, type TestDns, type Zone } from '../../test/support/dns.ts'
import { findFreePort } from '../../test/support/ports.ts'
import { type Checkout, openCheckout } from './checkout.ts'
import {
  makeDirectory,
  REPOSITORY,
  removeDirectory,
  runChild,
  startChild,
  stopChild,
  watchStray,
} from './children.ts'
import { readMemoryMb } from './meter.ts'
import { DOMAIN, MX_HOST, RECIPIENT_DOMAIN } from './names.ts'
import { createSender, type Sender } from './senders.ts'

const TRACE_RECORDER = join(REPOSITORY, 'bench', 'trace', 'recorder.ts')
/** If set, the server writes CPU profiles (.cpuprofile files) there on exit. */
const PROFILE_DIR = process.env.BENCH_PROFILE_DIR
/** If set, the server records the steps of emails, its statements and the long turns of its event loop. */
const TRACES = process.env.BENCH_TRACE !== undefined
/** If set, the server runs this many workers. */
const WORKERS = process.env.SENDWRIGHT_WORKERS
const START_LIMIT_MS = 60_000
/** A team's plan admits 6,000 requests a minute, which must include both warm-up and measurement. */
const EMAILS_PER_SENDER_MAX = 5_000

interface ProductOptions {
  zone?: Zone
  environment?: Record<string, string>
  directory?: string
  home?: string
  /** Whether it runs from its sources, so that a profile names them. */
  fromSources?: boolean
}

interface Around {
  home: string | undefined
  port: number
  dns: TestDns
  sinkPort: number
  checkout: Checkout
  main: string
  environment: Record<string, string>
}

/** An installation of the product with default settings: its data directory, its DNS server and its process. */
export class Product {
  readonly #directory: string
  readonly #isKept: boolean
  readonly #port: number
  readonly #dns: TestDns
  readonly #checkout: Checkout
  readonly #main: string
  readonly #environment: Record<string, string>
  #server: ReturnType<typeof startChild> | null = null

  private constructor({ home, port, dns, sinkPort, checkout, main, environment }: Around) {
    this.#directory = home ?? makeDirectory('product')
    this.#isKept = home !== undefined
    this.#port = port
    this.#dns = dns
    this.#checkout = checkout
    this.#main = main
    this.#environment = {
      PATH: process.env.PATH ?? '',
      PORT: `${port}`,
      SENDWRIGHT_INBOUND_PORT: 'off',
      SENDWRIGHT_SUBMISSION_PORT: 'off',
      SENDWRIGHT_SUBMISSIONS_PORT: 'off',
      SENDWRIGHT_DATA_DIR: join(this.#directory, 'data'),
      SENDWRIGHT_DELIVERY: 'direct',
      SENDWRIGHT_HOSTNAME: `mail.${DOMAIN}`,
      SENDWRIGHT_DNS_SERVERS: dns.server,
      SENDWRIGHT_MX_PORT: `${sinkPort}`,
      SENDWRIGHT_ALLOW_PRIVATE_NETWORKS: 'true',
      ...(WORKERS === undefined ? {} : { SENDWRIGHT_WORKERS: WORKERS }),
      ...environment,
    }
    // An immediate shutdown: the data is discarded, or recovered by the next start.
    watchStray(() => this.#readPostmasterPid(), 'SIGQUIT')
  }

  /**
   * Creates an empty installation, which is not running yet. The recipients' mail server is the sink at
   * `sinkPort`. `zone` adds other DNS records, `environment` other settings; `directory` is another checkout to run. With
   * `home`, the installation and its DNS records are kept in that directory, or continued if they are there.
   */
  static async create(
    sinkPort: number,
    { zone = {}, environment = {}, directory, home, fromSources = false }: ProductOptions = {},
  ): Promise<Product> {
    const checkout = await openCheckout(directory)
    const runsSources = fromSources || PROFILE_DIR !== undefined || TRACES
    const main = runsSources ? checkout.sourceMain : checkout.main
    const usual: Zone = {
      ...zone,
      [RECIPIENT_DOMAIN]: { mx: [[10, MX_HOST]] },
      [MX_HOST]: { a: ['127.0.0.1'] },
      [`mail.${DOMAIN}`]: { a: ['127.0.0.1'] },
    }
    const dns = home === undefined ? await startDns(usual) : await startKeptDns(home, usual)
    return new Product({ home, port: await findFreePort(), dns, sinkPort, checkout, main, environment })
  }

  get port(): number {
    return this.#port
  }

  /** The URL of the embedded PostgreSQL, while it is running. */
  get databaseUrl(): string {
    const url = connectionInfo(this.#environment.SENDWRIGHT_DATA_DIR ?? '')
    if (url === null) throw new Error('the database of the product is not running')
    return url
  }

  get dataDir(): string {
    return this.#environment.SENDWRIGHT_DATA_DIR ?? ''
  }

  /** The file with the trace of all runs, or null without BENCH_TRACE. */
  get tracePath(): string | null {
    return TRACES ? join(this.#directory, 'trace') : null
  }

  /** The id of the Node process. */
  get pid(): number {
    if (this.#server?.pid === undefined) throw new Error('the product is not running')
    return this.#server.pid
  }

  /** The roots of its process trees. The database server may have been adopted by init. */
  get pids(): number[] {
    return [this.pid, this.#readPostmasterPid()].filter((pid) => pid !== null)
  }

  /** Resolves when it is ready. With `wait: false`, resolves immediately, for measurements that include the start. */
  async start({ roles, wait = true }: { roles?: string; wait?: boolean } = {}): Promise<void> {
    const log = openSync(this.#logPath(), 'a')
    const profiling = PROFILE_DIR === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${PROFILE_DIR}`]
    const args = [
      ...this.#checkout.flags,
      ...profiling,
      ...(TRACES ? ['--import', TRACE_RECORDER] : []),
      this.#main,
      'serve',
      ...(roles === undefined ? [] : ['--roles', roles]),
    ]
    const stdio = ['ignore', log, log] as ['ignore', number, number]
    this.#server = startChild(this.#checkout.node, args, {
      env: {
        ...this.#checkout.environment,
        ...this.#environment,
        BENCH_TRACE_FILE: join(this.#directory, 'trace'),
      },
      cwd: this.#directory,
      stdio,
    })
    closeSync(log)
    if (wait) await this.#waitUntilReady()
  }

  async stop(): Promise<void> {
    if (this.#server !== null) await stopChild(this.#server)
    this.#server = null
  }

  /** Stops it, and deletes all its data unless it is kept. */
  async remove(): Promise<void> {
    await this.stop()
    await this.#dns.close()
    if (!this.#isKept) removeDirectory(this.#directory)
  }

  /** Creates teams with a key and a verified domain each, enough to send `emailsCount` emails within a minute. */
  async createSenders(emailsCount: number): Promise<Sender[]> {
    const command = (...args: string[]) => this.#command(...args)
    const installation = { port: this.#port, dns: this.#dns, command }
    const senders: Sender[] = []
    for (let number = 1; senders.length * EMAILS_PER_SENDER_MAX < emailsCount; number++) {
      senders.push(await createSender(installation, `team-${number}.${DOMAIN}`))
    }
    return senders
  }

  readPeakMb(): number {
    return readMemoryMb(this.pid, 'VmHWM')
  }

  /** Returns the last lines of its log, for error messages. */
  readLogEnd(): string {
    return readFileSync(this.#logPath(), 'utf8').trim().split('\n').slice(-5).join('\n')
  }

  async #command(...args: string[]): Promise<Record<string, unknown>> {
    const { node } = this.#checkout
    const options = { env: this.#environment, cwd: this.#directory }
    const { code, stdout, stderr } = await runChild(node, [this.#main, ...args, '--json'], options)
    if (code !== 0) throw new Error(`sendwright ${args.join(' ')} failed: ${stderr}`)
    return JSON.parse(stdout) as Record<string, unknown>
  }

  async #waitUntilReady(): Promise<void> {
    const end = performance.now() + START_LIMIT_MS
    while (performance.now() < end) {
      if (this.#server?.exitCode !== null)
        throw new Error(`the product exited at startup: ${this.readLogEnd()}`)
      const ready = await fetch(`http://127.0.0.1:${this.#port}/readyz`).catch(() => null)
      if (ready?.ok === true) return
      await pause(50)
    }
    throw new Error(`the product is not ready after ${START_LIMIT_MS / 1000} s: ${this.readLogEnd()}`)
  }

  #logPath(): string {
    return join(this.#directory, 'log')
  }

  #readPostmasterPid(): number | null {
    try {
      const path = join(this.#directory, 'data', 'postgres', 'postmaster.pid')
      return Number.parseInt(readFileSync(path, 'utf8'), 10)
    } catch {
      return null
    }
  }
}

/** Starts a DNS server whose records are stored in `home`, because domains that are verified need theirs again later. */
async function startKeptDns(home: string, zone: Zone): Promise<TestDns> {
  mkdirSync(home, { recursive: true })
  const path = join(home, 'zone.json')
  const kept: Zone = { ...zone, ...(existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}) }
  const dns = await startDns(kept)
  return {
    ...dns,
    set(more) {
      dns.set(more)
      writeFileSync(path, JSON.stringify(Object.assign(kept, more)))
    },
  }
}

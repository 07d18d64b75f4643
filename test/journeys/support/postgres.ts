import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { chooseAccount, chooseLaunch, launchProcess } from '../../../src/db/embedded/embedded-account.ts'
import { findBinaries } from '../../../src/db/embedded/embedded-binaries.ts'
import {
  clearPostmaster,
  clusterDirOf,
  ensureCluster,
  prepareClusterDir,
  readPostmaster,
  urlOf,
} from '../../../src/db/embedded/embedded-cluster.ts'
import { startOfProcess } from '../../../src/lib/processes.ts'
import { type Child, familyOf, follow, signalAll, until } from './children.ts'
import { findFreePort } from './ports.ts'

/** A PostgreSQL server of the journey's own, as an operator would run one: the product only knows its address. */
export interface JourneyPostgres {
  url: string
  start(): Promise<void>
  /** Whether it was started and is gone. */
  readonly hasEnded: boolean
  /** Fast shutdown: every session is ended, what was committed is written. */
  stop(): Promise<void>
  /** SIGKILL for the server and all its processes at once. */
  kill(): Promise<void>
  /** Every process of the server stands still: connections stay open and nothing answers. */
  freeze(): void
  thaw(): void
  /** Connections that it serves at the moment. */
  countConnections(): number
}

const START_LIMIT_MS = 60_000
const END_LIMIT_MS = 20_000
const SETTINGS = ['max_connections=60', 'shared_buffers=64MB', 'log_min_messages=log', 'fsync=off']

export interface PostgresOptions {
  /** For example `max_connections=12`; later ones win. */
  settings?: readonly string[]
  environment?: Record<string, string>
}

/** Makes a cluster in `directory` that listens on 127.0.0.1. It does not run yet. */
export async function createPostgres(
  directory: string,
  { settings: more = [], environment = {} }: PostgresOptions = {},
): Promise<JourneyPostgres> {
  const binaries = findBinaries()
  const account = chooseAccount([])
  const clusterDir = clusterDirOf(directory)
  const prepared = await prepareClusterDir(directory, account)
  const catalogue = join(binaries.root, 'share', 'postgresql', 'postgres.bki')
  const launch = chooseLaunch(account, binaries.postgres, catalogue, [prepared])
  await ensureCluster(directory, prepared, binaries, launch)
  appendFileSync(join(clusterDir, 'pg_hba.conf'), 'host all all 127.0.0.1/32 scram-sha-256\n')
  const port = await findFreePort()
  const url = new URL(urlOf(directory, ''))
  url.search = ''
  url.host = `127.0.0.1:${port}`
  const settings = [
    ...SETTINGS,
    ...more,
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
  ]
  let running: Child | null = null
  let family: number[] = []

  async function startOnce(): Promise<boolean> {
    await clearPostmaster(clusterDir)
    const args = ['-D', clusterDir, ...settings.flatMap((setting) => ['-c', setting])]
    const words = Object.entries(environment).map(([name, value]) => `${name}=${value}`)
    const child = follow(launchProcess(launch, '/usr/bin/env', [...words, binaries.postgres, ...args]))
    running = child
    return until('PostgreSQL is ready or has ended', START_LIMIT_MS, () => {
      if (child.hasEnded) return false
      const postmaster = readPostmaster(clusterDir)
      return postmaster?.pid === child.pid && postmaster.ready ? true : null
    })
  }

  return {
    url: url.href,
    get hasEnded() {
      return running?.hasEnded ?? false
    },
    async start() {
      // The last processes of a killed server may still be letting go of its shared memory.
      await until('PostgreSQL starts', START_LIMIT_MS, async () => ((await startOnce()) ? true : null))
    },
    async stop() {
      if (running === null) return
      signalAll(family, 'SIGCONT')
      running.signal('SIGINT')
      const timer = setTimeout(() => running?.signal('SIGQUIT'), END_LIMIT_MS)
      await running.ended
      clearTimeout(timer)
    },
    async kill() {
      if (running === null) return
      const killed = familyOf(running.pid)
      signalAll(killed, 'SIGKILL')
      await running.ended
      await until('its processes are gone', END_LIMIT_MS, () =>
        killed.every((pid) => startOfProcess(pid) === null) ? true : null,
      )
    },
    freeze() {
      if (running === null) return
      family = familyOf(running.pid)
      signalAll(family, 'SIGSTOP')
    },
    countConnections() {
      return running === null ? 0 : countBackends(running.pid)
    },
    thaw() {
      signalAll(family, 'SIGCONT')
      family = []
    },
  }
}

/** A process that serves a client says in its title where the client is (PostgreSQL 27.1). */
function countBackends(pid: number): number {
  const titles = familyOf(pid).map((one) => {
    try {
      return readFileSync(`/proc/${one}/cmdline`, 'latin1')
    } catch {
      return ''
    }
  })
  return titles.filter((title) => /127\.0\.0\.1\(\d+\)/.test(title)).length
}

import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  chooseAccount,
  chooseLaunch,
  type Launch,
  launchProcess,
} from '../../../src/db/embedded/embedded-account.ts'
import { findBinaries } from '../../../src/db/embedded/embedded-binaries.ts'
import {
  clearPostmaster,
  clusterDirOf,
  clusterNameOf,
  clusterUrlOf,
  ensureCluster,
  prepareClusterDir,
  readPostmaster,
} from '../../../src/db/embedded/embedded-cluster.ts'
import { startOfProcess } from '../../../src/lib/processes.ts'
import { findFreePort } from '../../support/ports.ts'
import { type Child, familyOf, follow, signalAll, until } from './children.ts'
import { copyCluster } from './cluster.ts'

/** A PostgreSQL server that the journey controls; the product only knows its address. */
export interface JourneyPostgres {
  url: string
  start(): Promise<void>
  /** Whether it was started and has ended. */
  readonly hasEnded: boolean
  /** Fast shutdown: ends every session and writes committed data. */
  stop(): Promise<void>
  /** Kills the server and all its processes with SIGKILL. */
  kill(): Promise<void>
  /** Stops every process of the server: connections stay open, but nothing responds. */
  freeze(): void
  thaw(): void
  /** Counts its current connections. */
  countConnections(): number
}

const START_LIMIT_MS = 60_000
const END_LIMIT_MS = 20_000
const SETTINGS = ['max_connections=60', 'shared_buffers=64MB', 'log_min_messages=log', 'fsync=off']

export interface PostgresOptions {
  /** For example `max_connections=12`; later ones take precedence. */
  settings?: readonly string[]
  environment?: Record<string, string>
}

/** Creates a cluster in `directory` that listens on 127.0.0.1, without starting it. */
export async function createPostgres(
  directory: string,
  { settings: more = [], environment = {} }: PostgresOptions = {},
): Promise<JourneyPostgres> {
  const cluster = await makeCluster(directory)
  const port = await findFreePort()
  const url = new URL(clusterUrlOf(directory, ''))
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

  return {
    url: url.href,
    get hasEnded() {
      return running?.hasEnded ?? false
    },
    async start() {
      // The start fails while the last processes of a killed server still hold its shared memory.
      await until('PostgreSQL starts', START_LIMIT_MS, async () => {
        await clearPostmaster(cluster.clusterDir)
        running = launchServer(cluster, settings, environment)
        return (await becomesReady(cluster, running)) ? true : null
      })
    },
    async stop() {
      if (running === null) return
      signalAll(family, 'SIGCONT')
      await shutDown(running)
    },
    async kill() {
      if (running !== null) await killFamily(running)
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

interface Cluster {
  clusterDir: string
  launch: Launch
  /** Path of the server's program. */
  postgres: string
}

/** Initializes a cluster in `directory`, or copies that of the run, and lets clients on 127.0.0.1 log in with a password. */
async function makeCluster(directory: string): Promise<Cluster> {
  const binaries = findBinaries()
  const account = chooseAccount([])
  const clusterDir = clusterDirOf(directory)
  copyCluster(directory)
  const prepared = await prepareClusterDir(directory, account)
  const catalogue = join(binaries.root, 'share', 'postgresql', 'postgres.bki')
  const launch = chooseLaunch(account, binaries.postgres, catalogue, [prepared])
  await ensureCluster(directory, prepared, binaries, launch)
  appendFileSync(join(clusterDir, 'pg_hba.conf'), 'host all all 127.0.0.1/32 scram-sha-256\n')
  return { clusterDir, launch, postgres: binaries.postgres }
}

/** Starts the server's process. It may still end before it is ready. */
function launchServer(
  { clusterDir, launch, postgres }: Cluster,
  settings: readonly string[],
  environment: Record<string, string>,
): Child {
  // By this name, the next start finds a process that was forked while the family was killed.
  const all = [`cluster_name=${clusterNameOf(clusterDir)}`, ...settings]
  const args = ['-D', clusterDir, ...all.flatMap((setting) => ['-c', setting])]
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`)
  return follow(launchProcess(launch, '/usr/bin/env', [...variables, postgres, ...args]))
}

/** Waits until the server accepts connections (true) or has ended (false). */
function becomesReady({ clusterDir }: Cluster, child: Child): Promise<boolean> {
  return until('PostgreSQL is ready or has ended', START_LIMIT_MS, () => {
    if (child.hasEnded) return false
    const postmaster = readPostmaster(clusterDir)
    return postmaster?.pid === child.pid && postmaster.ready ? true : null
  })
}

/** Requests a fast shutdown, and an immediate one when that takes longer than `END_LIMIT_MS`. */
async function shutDown(child: Child): Promise<void> {
  child.signal('SIGINT')
  const timer = setTimeout(() => child.signal('SIGQUIT'), END_LIMIT_MS)
  await child.ended
  clearTimeout(timer)
}

/** Sends SIGKILL to the process and all its descendants, and waits until every one of them is gone. */
async function killFamily(child: Child): Promise<void> {
  const killed = familyOf(child.pid)
  signalAll(killed, 'SIGKILL')
  await child.ended
  await until('its processes are gone', END_LIMIT_MS, () =>
    killed.every((pid) => startOfProcess(pid) === null) ? true : null,
  )
}

/** Counts the backends: a process that serves a client has the client's address in its title (PostgreSQL 27.1). */
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

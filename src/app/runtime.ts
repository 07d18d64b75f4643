import { randomUUID } from 'node:crypto'
import type { Registry } from 'prom-client'
import type { Config } from '../config/config.ts'
import { openDb } from '../db/db.ts'
import type { Db } from '../db/db-types.ts'
import { startEmbeddedPostgres } from '../db/embedded/embedded-postgres.ts'
import { createSigner, type Signer } from '../delivery/sign-message.ts'
import { createEventWake, type EventWake } from '../events/wake.ts'
import { createMetrics, type HttpMetrics } from '../http/metrics.ts'
import { createSignal, type Signal } from '../lib/async/signal.ts'
import { createHashAddress, type HashAddress } from '../lib/crypto/erased-address.ts'
import {
  deriveKey,
  openSecret,
  TRACKING_LINKS,
  UNSUBSCRIBE_ADDRESSES,
  UNSUBSCRIBE_LINKS,
} from '../lib/crypto/seal.ts'
import { DnsClient } from '../lib/dns/dns.ts'
import { MxResolver } from '../lib/dns/mx.ts'
import type { Log } from '../lib/log.ts'
import { createGuard, type Guard } from '../lib/net/egress-guard.ts'
import { createHostAddresses } from '../lib/net/host-addresses.ts'
import { type Clock, systemClock } from '../lib/time/clock.ts'
import { CLAIM_POOL } from '../queue/claim-queries.ts'
import type { Lifecycle } from './lifecycle.ts'
import { gaugePools, timeCommits } from './operator-metrics.ts'

/** What all roles of this process share; each is built once. */
export interface Runtime {
  config: Config
  clock: Clock
  log: Log
  lifecycle: Lifecycle
  /** Names this process in leases and among the nodes. */
  nodeId: string
  databaseUrl: string
  pools: Pools
  /** Wakes those who wait for events. */
  events: EventWake
  metrics: HttpMetrics
  /** The installation's master key (lib/crypto/seal.ts): it seals what is stored. */
  secret: Buffer
  keys: Keys
  /** Replaces the addresses of people who were erased. */
  hashAddress: HashAddress
  signer: Signer
  /** Refuses addresses that a customer must not steer a connection to. */
  guard: Guard
  /** Resolves where mail goes. */
  mx: MxResolver
  /** Resolves hosts that customers choose. They share no DNS client with mail: a slow one must not hold up a delivery. */
  hostAddresses(host: string): Promise<readonly string[]>
  /** Raised when a delivery is due. */
  due: Signal
}

/** One pool for each kind of work, so that none waits for another's connections. */
export interface Pools {
  /** With the API's short patience. */
  api: Db
  /** For long lists, whose price is the caller's to set: few connections, and the server ends what is slow. */
  lists: Db
  engine: Db
}

/** Derived from the master key. */
export interface Keys {
  returnPaths: Buffer
  trackingLinks: Buffer
  unsubscribeAddresses: Buffer
  unsubscribeLinks: Buffer
}

/** The API answers within two seconds even when the database does not. */
const API_TIMEOUT_MS = 1500
const API_CONNECTIONS_MAX = 12
/** Connections of the pool for lists. */
export const LIST_CONNECTIONS_MAX = 4
/** A list that is slow takes none of the connections that accepting mail needs, and leaves no statement behind. */
const LIST_STATEMENT_MS = 1200
/** Delivery can wait: what it knows must be written. */
const ENGINE_TIMEOUT_MS = 10_000
const ENGINE_CONNECTIONS_MAX = 8

/** Starts the embedded PostgreSQL where no DATABASE_URL is set. Pools connect when they are first used. */
export async function openRuntime(config: Config, log: Log, lifecycle: Lifecycle): Promise<Runtime> {
  const clock = systemClock
  const databaseUrl = config.databaseUrl ?? (await startEmbedded(config, log, lifecycle))
  const secret = await openSecret(config.dataDir, config.secretKey)
  const metrics = createMetrics()
  const { pools, events } = openPools(databaseUrl, metrics.registry, log, lifecycle)
  const keys = deriveKeys(secret)
  const { hostname, dnsServers } = config
  const signing = { masterKey: secret, returnPathKey: keys.returnPaths, hostname }
  return {
    config,
    clock,
    log,
    lifecycle,
    nodeId: randomUUID(),
    databaseUrl,
    pools,
    events,
    metrics,
    secret,
    keys,
    hashAddress: createHashAddress(secret),
    signer: createSigner({ db: pools.engine, ...signing }),
    guard: createGuard({ allowPrivate: config.allowPrivateNetworks }),
    mx: new MxResolver(new DnsClient({ servers: dnsServers, clock })),
    hostAddresses: createHostAddresses({ dnsServers, clock }),
    due: createSignal(),
  }
}

function deriveKeys(secret: Buffer): Keys {
  return {
    returnPaths: deriveKey(secret, 'return paths'),
    trackingLinks: deriveKey(secret, TRACKING_LINKS),
    unsubscribeAddresses: deriveKey(secret, UNSUBSCRIBE_ADDRESSES),
    unsubscribeLinks: deriveKey(secret, UNSUBSCRIBE_LINKS),
  }
}

async function startEmbedded({ dataDir }: Config, log: Log, lifecycle: Lifecycle): Promise<string> {
  const postgres = await startEmbeddedPostgres({ dataDir, log })
  lifecycle.add('embedded PostgreSQL', () => postgres.stop())
  return postgres.url
}

function openPools(databaseUrl: string, registry: Registry, log: Log, lifecycle: Lifecycle) {
  const timed = timeCommits(registry)
  const events = createEventWake(() => engine, log)
  const api = openDb(databaseUrl, {
    connectionsMax: API_CONNECTIONS_MAX,
    timeoutMs: API_TIMEOUT_MS,
    name: 'sendwright-api',
    log,
    onCommitted: events.committed,
    onCommit: timed('api'),
  })
  const lists = openDb(databaseUrl, {
    connectionsMax: LIST_CONNECTIONS_MAX,
    timeoutMs: API_TIMEOUT_MS,
    statementTimeoutMs: LIST_STATEMENT_MS,
    name: 'sendwright-lists',
    log,
  })
  const engine = openDb(databaseUrl, {
    connectionsMax: ENGINE_CONNECTIONS_MAX,
    timeoutMs: ENGINE_TIMEOUT_MS,
    name: 'sendwright',
    log,
    onCommitted: events.committed,
    onCommit: timed('engine'),
  })
  const pools: Pools = { api, lists, engine }
  for (const [name, pool] of Object.entries(pools)) lifecycle.add(`pool ${name}`, () => pool.close())
  lifecycle.add('wake of events', () => events.stop())
  gaugePools(registry, { ...pools })
  return { pools, events }
}

/** The pool that deliveries are claimed with. */
export function openClaims({ databaseUrl, log, lifecycle }: Runtime): Db {
  const claims = openDb(databaseUrl, {
    ...CLAIM_POOL,
    timeoutMs: ENGINE_TIMEOUT_MS,
    name: 'sendwright-claims',
    log,
  })
  lifecycle.add('pool claims', () => claims.close())
  return claims
}

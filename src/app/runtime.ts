import { randomUUID } from 'node:crypto'
import type { Registry } from 'prom-client'
import { type Config, labelsOf } from '../config/config.ts'
import { openDb } from '../db/db.ts'
import type { Db } from '../db/db-types.ts'
import { startEmbeddedPostgres } from '../db/embedded/embedded-postgres.ts'
import { inSchema } from '../db/pool.ts'
import { createSigner, type Signer } from '../delivery/dispatch/sign-message.ts'
import { createEventWake, type EventWake } from '../events/wake.ts'
import { createMetrics, type HttpMetrics, type MetricsText } from '../http/server/metrics.ts'
import { createSignal, type Signal } from '../lib/async/signal.ts'
import { createHashAddress, type HashAddress } from '../lib/crypto/erased-address.ts'
import {
  deriveKey,
  openSecret,
  SHARE_LINKS,
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
import { CLAIM_POOL } from '../queue/claim.ts'
import { type Bodies, openBodies, timeStore } from './bodies.ts'
import type { Lifecycle } from './lifecycle.ts'
import { gaugePools, timeCommits } from './operator-metrics.ts'
import type { SupervisorLink } from './supervisor-link.ts'

/** The parts that all roles of this process share; each is built once. */
export interface Runtime {
  config: Config
  clock: Clock
  log: Log
  lifecycle: Lifecycle
  /** Identifies this process in leases and among the nodes. */
  nodeId: string
  databaseUrl: string
  pools: Pools
  /** Wakes the parts that wait for events. */
  events: EventWake
  metrics: HttpMetrics
  /** The metrics that GET /metrics returns: those of this process, or of all workers. */
  published: MetricsText
  /** The supervisor of this worker; null when this process is not a worker. */
  supervisor: SupervisorLink | null
  /** The master key of the installation (lib/crypto/seal.ts), which seals stored secrets. */
  secret: Buffer
  keys: Keys
  /** Hashes the addresses of erased people. */
  hashAddress: HashAddress
  signer: Signer
  bodies: Bodies
  /** Rejects connections to addresses that customers must not reach. */
  guard: Guard
  /** Resolves the MX hosts of recipients. */
  mx: MxResolver
  /**
   * Resolves hosts that customers choose. It has a separate DNS client, so that a slow host does not delay
   * deliveries.
   */
  hostAddresses(host: string): Promise<readonly string[]>
  /** Notifies the worker when a delivery is due. */
  due: Signal
}

/** Separate pools for each kind of work, so that none waits for another's connections. */
export interface Pools {
  /** With the API's short timeout. */
  api: Db
  /** For lists, whose cost the caller determines: few connections, with a statement timeout. */
  lists: Db
  engine: Db
}

/** Keys derived from the master key. */
export interface Keys {
  returnPaths: Buffer
  trackingLinks: Buffer
  /** Signs public links to emails and attachments. */
  shareLinks: Buffer
  unsubscribeAddresses: Buffer
  unsubscribeLinks: Buffer
}

/** The API responds within two seconds even when the database does not; the rest is for a busy machine. */
export const API_TIMEOUT_MS = 1400
const API_CONNECTIONS_MAX = 12
/** Enough for one email on an idle server, which would otherwise wait for new connections and their plans. */
const CONNECTIONS_MIN = 2
/** Size of the pool for lists. */
export const LIST_CONNECTIONS_MAX = 4
/** Ends slow list statements on the server. */
const LIST_STATEMENT_MS = 1200
/** Delivery waits longer, because its results must be written. */
const ENGINE_TIMEOUT_MS = 10_000
const ENGINE_CONNECTIONS_MAX = 8

/** The most connections of a process with all roles: its pools, the claims, and three for LISTEN. */
const PROCESS_CONNECTIONS_MAX =
  API_CONNECTIONS_MAX + LIST_CONNECTIONS_MAX + ENGINE_CONNECTIONS_MAX + CLAIM_POOL.connectionsMax + 3
/** Connections of the embedded PostgreSQL for commands, for a supervisor, and for its own use. */
const OTHER_CONNECTIONS = 31

interface RuntimeOptions {
  /** The supervisor of this worker, which runs PostgreSQL and assigns the node id. */
  supervisor?: SupervisorLink | null
  /** The number of processes that share the embedded PostgreSQL that this process starts. */
  workers?: number
}

/**
 * Opens the runtime, and starts the embedded PostgreSQL when DATABASE_URL is not set and no supervisor runs it. Pools
 * connect on first use.
 */
export async function openRuntime(
  config: Config,
  log: Log,
  lifecycle: Lifecycle,
  { supervisor = null, workers = 1 }: RuntimeOptions = {},
): Promise<Runtime> {
  const clock = systemClock
  const databaseUrl =
    supervisor?.place.databaseUrl ??
    inSchema(
      config.databaseUrl ??
        (await startEmbedded(config, log, lifecycle, OTHER_CONNECTIONS + workers * PROCESS_CONNECTIONS_MAX)),
      config.schema,
    )
  const secret = await openSecret(config.dataDir, config.secretKey)
  const metrics = createMetrics(labelsOf(config))
  supervisor?.show(metrics.registry)
  const { pools, events } = openPools(databaseUrl, metrics.registry, log, lifecycle)
  const keys = deriveKeys(secret)
  const { hostname, dnsServers } = config
  const signing = { masterKey: secret, returnPathKey: keys.returnPaths, hostname }
  return {
    config,
    clock,
    log,
    lifecycle,
    nodeId: supervisor?.place.nodeId ?? randomUUID(),
    databaseUrl,
    pools,
    events,
    metrics,
    published: supervisor ?? metrics.registry,
    supervisor,
    secret,
    keys,
    hashAddress: createHashAddress(secret),
    signer: createSigner({ db: pools.engine, ...signing }),
    bodies: openBodies({ config, secret, db: pools.api, log, ...measureStore(config, metrics.registry) }),
    guard: createGuard({ allowPrivate: config.allowPrivateNetworks }),
    mx: new MxResolver(new DnsClient({ servers: dnsServers, clock })),
    hostAddresses: createHostAddresses({ dnsServers, clock }),
    due: createSignal(),
  }
}

/** An installation without a store has no metrics of it. */
function measureStore({ bodies }: Config, registry: Registry) {
  return bodies === null ? {} : { onStore: timeStore(registry) }
}

function deriveKeys(secret: Buffer): Keys {
  return {
    returnPaths: deriveKey(secret, 'return paths'),
    trackingLinks: deriveKey(secret, TRACKING_LINKS),
    shareLinks: deriveKey(secret, SHARE_LINKS),
    unsubscribeAddresses: deriveKey(secret, UNSUBSCRIBE_ADDRESSES),
    unsubscribeLinks: deriveKey(secret, UNSUBSCRIBE_LINKS),
  }
}

async function startEmbedded(
  { dataDir }: Config,
  log: Log,
  lifecycle: Lifecycle,
  connectionsMax: number,
): Promise<string> {
  const settings = { max_connections: `${connectionsMax}` }
  const postgres = await startEmbeddedPostgres({ dataDir, log, settings })
  lifecycle.add('embedded PostgreSQL', () => postgres.stop())
  return postgres.url
}

function openPools(databaseUrl: string, registry: Registry, log: Log, lifecycle: Lifecycle) {
  const timed = timeCommits(registry)
  const events = createEventWake(() => engine, log)
  const api = openDb(databaseUrl, {
    connectionsMax: API_CONNECTIONS_MAX,
    connectionsMin: CONNECTIONS_MIN,
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
    connectionsMin: CONNECTIONS_MIN,
    timeoutMs: ENGINE_TIMEOUT_MS,
    name: 'sendwright',
    log,
    onCommitted: events.committed,
    onCommit: timed('engine'),
  })
  const pools: Pools = { api, lists, engine }
  for (const [name, pool] of Object.entries(pools)) lifecycle.add(`pool ${name}`, () => pool.close())
  lifecycle.add('event wake', () => events.stop())
  gaugePools(registry, { ...pools })
  return { pools, events }
}

/** Opens the pool for claiming deliveries. */
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

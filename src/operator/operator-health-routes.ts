import { wholeListOf } from '../http/route/page.ts'
import type { ResourceDeps } from '../http/route/resource.ts'
import { type Route, routesOf } from '../http/route/route.ts'
import { formatTime } from '../lib/time/format-time.ts'
import type { Health } from './health.ts'
import { listNodes, type SeenNode } from './nodes-queries.ts'
import { HealthRecord, NodeRecord } from './operator-schemas.ts'
import type { OperatorView } from './operator-view.ts'

interface Deps extends Pick<ResourceDeps, 'lists' | 'clock'> {
  operatorView: OperatorView
}

const { route } = routesOf<Deps>()

const NODES_MAX = 200
/** Three times the interval at which a running process reports. */
const SILENT_MS = 15_000

const common = { area: 'operator', permission: 'operator' } as const

function nodeToJson(node: SeenNode, now: Date) {
  return {
    object: 'node',
    id: node.id,
    host: node.host,
    process_id: node.processId,
    roles: node.roles,
    version: node.version,
    state: now.getTime() - node.seenAt.getTime() > SILENT_MS ? 'silent' : 'up',
    started_at: formatTime(node.startedAt),
    last_seen_at: formatTime(node.seenAt),
    deliveries_held: node.deliveriesHeld,
    sites: node.sites,
    connections: node.connections,
    memory_bytes: node.memoryBytes,
  }
}

const getNodes = route('GET', '/operator/nodes', {
  ...common,
  operationId: 'listNodes',
  summary: 'List nodes',
  description:
    'The processes of this installation. Each reports every five seconds. A process that stopped in order is removed; one that died is listed as silent for an hour.',
  responses: {
    200: {
      description: 'Longest-running process first.',
      schema: wholeListOf(NodeRecord),
    },
  },
  async handle({ deps: { lists, clock } }) {
    const now = clock.now()
    const nodes = await listNodes(lists, NODES_MAX)
    return { status: 200, json: { object: 'list', data: nodes.map((node) => nodeToJson(node, now)) } }
  },
})

function databaseToJson({ database, isEmbedded }: Health) {
  const kind = isEmbedded ? 'embedded' : 'external'
  if (database === null) return { reachable: false, kind }
  return {
    reachable: true,
    kind,
    version: database.version,
    size_bytes: database.sizeBytes,
    in_recovery: database.isInRecovery,
    connections: database.connections,
    connections_max: database.connectionsMax,
    replicas: database.replicas.map(({ name, state, lagBytes }) => ({ name, state, lag_bytes: lagBytes })),
  }
}

const getHealth = route('GET', '/operator/health', {
  ...common,
  operationId: 'getHealth',
  summary: 'Get the health of the installation',
  description:
    'What the responding process knows without using the network, cached for five seconds. `sendwright doctor` checks more.',
  responses: { 200: { description: 'The health, also when a check fails.', schema: HealthRecord } },
  async handle({ deps: { operatorView } }) {
    const health = await operatorView.health()
    const { disk, queue, lastBackup } = health
    const json = {
      object: 'health',
      as_of: formatTime(health.asOf),
      version: health.version,
      status: health.status,
      delivery: health.delivery,
      database: databaseToJson(health),
      disk: disk === null ? null : { free_bytes: disk.freeBytes, total_bytes: disk.totalBytes },
      queue:
        queue === null
          ? null
          : {
              oldest_ready_seconds: queue.oldestReadySeconds,
              oldest_ready_seconds_max: queue.oldestReadySecondsMax,
            },
      certificate_expires_at: formatTime(health.certificateEndsAt),
      last_backup:
        lastBackup === null
          ? null
          : { made_at: formatTime(lastBackup.madeAt), rows: lastBackup.rows, bytes: lastBackup.bytes },
      findings: health.findings,
    }
    return { status: 200, json }
  },
})

export const operatorHealthRoutes: readonly Route<Deps>[] = [getNodes, getHealth]

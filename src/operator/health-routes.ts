import { timingSafeEqual } from 'node:crypto'
import Type from 'typebox'
import { type Route, routesOf } from '../http/route/route.ts'
import type { MetricsText } from '../http/server/metrics.ts'
import { ApiError } from '../lib/api-error.ts'
import { hashToken } from '../lib/crypto/random-token.ts'
import type { Log } from '../lib/log.ts'

interface Deps {
  log: Log
}

const { route } = routesOf<Deps>()

/** A condition that must hold before this process receives requests. */
export interface ReadinessCheck {
  name: string
  /** Resolves to the values to show; throws when the check fails. */
  check(): Promise<Record<string, number | string | null>>
}

/** A failed check with values for the response. Unlike the details of other errors, they are public. */
export class NotReady extends Error {
  readonly figures: Record<string, number | string | null>
  constructor(message: string, figures: Record<string, number | string | null>) {
    super(message)
    this.figures = figures
  }
}

const CHECK_TIMEOUT_MS = 1_500

const common = { area: 'operation', permission: 'public' } as const

const Status = Type.Enum(['ok', 'unavailable'])
const Readiness = Type.Object(
  {
    status: Status,
    checks: Type.Record(Type.String(), Type.Object({ status: Status }, { additionalProperties: true }), {
      description: 'Results by name: `database`, `queue`, and, if this process delivers, `engine`.',
    }),
  },
  { title: 'Readiness' },
)
const READY = {
  status: 'ok',
  checks: {
    database: { status: 'ok' },
    queue: { status: 'ok', oldest_ready_seconds: 0, oldest_ready_seconds_max: 900 },
    engine: { status: 'ok', deliveries_held: 12 },
  },
}
const NOT_READY = {
  status: 'unavailable',
  checks: { ...READY.checks, database: { status: 'unavailable' }, queue: { status: 'unavailable' } },
}

/** Creates `GET /healthz`, `GET /readyz` and, when a token is configured for this port, `GET /metrics`. */
export function healthRoutes(deps: {
  checks: readonly ReadinessCheck[]
  registry: MetricsText
  metricsToken: string | null
}): readonly Route<Deps>[] {
  const health = route('GET', '/healthz', {
    ...common,
    operationId: 'getLiveness',
    summary: 'Check that the process is alive',
    description: 'Returns 200 as long as the process can respond.',
    responses: {
      200: { description: 'The process is alive.', schema: Type.Object({ status: Type.Literal('ok') }) },
    },
    async handle() {
      return { status: 200, json: { status: 'ok' } }
    },
  })

  const ready = route('GET', '/readyz', {
    ...common,
    operationId: 'getReadiness',
    summary: 'Check that the process is ready',
    description: 'Checks the database, the delivery engine, and the age of the oldest ready delivery.',
    responses: {
      200: { description: 'The process is ready.', schema: Readiness, example: READY },
      503: {
        description: 'The process is not ready. `checks` shows why.',
        schema: Readiness,
        example: NOT_READY,
      },
    },
    async handle({ deps: { log } }) {
      const results = await Promise.all(deps.checks.map((check) => runCheck(check, log)))
      const isReady = results.every(([, result]) => result.status === 'ok')
      const json = { status: isReady ? 'ok' : 'unavailable', checks: Object.fromEntries(results) }
      return { status: isReady ? 200 : 503, json }
    },
  })

  return deps.metricsToken === null
    ? [health, ready]
    : [health, ready, metricsRoute(deps.registry, deps.metricsToken)]
}

async function runCheck(
  check: ReadinessCheck,
  log: { warn(fields: object, text: string): void },
): Promise<[string, { status: string; [figure: string]: number | string | null }]> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('timed out')), CHECK_TIMEOUT_MS)
  })
  try {
    const figures = await Promise.race([check.check(), timeout])
    return [check.name, { status: 'ok', ...figures }]
  } catch (error) {
    // The reason may contain addresses and paths, so it goes to the log only.
    log.warn({ err: error, check: check.name }, 'not ready')
    return [check.name, { status: 'unavailable', ...(error instanceof NotReady ? error.figures : {}) }]
  } finally {
    clearTimeout(timer)
  }
}

function metricsRoute(registry: MetricsText, token: string): Route<Deps> {
  return route('GET', '/metrics', {
    ...common,
    operationId: 'getPrometheusMetrics',
    summary: 'Get metrics for Prometheus',
    description: 'Requires the bearer token `SENDWRIGHT_METRICS_TOKEN`.',
    responses: { 200: { description: 'Metrics in the Prometheus text format.', type: 'text/plain' } },
    async handle({ headers }) {
      const bearer = /^Bearer +(\S+)$/i.exec(String(headers.authorization ?? ''))?.[1]
      if (bearer === undefined || !isSame(bearer, token)) throw new ApiError('invalid_api_key')
      return { status: 200, bytes: await registry.metrics(), type: registry.contentType }
    },
  })
}

/** Compares tokens in constant time, because the endpoint may be public. */
function isSame(a: string, b: string): boolean {
  return timingSafeEqual(hashToken(a), hashToken(b))
}

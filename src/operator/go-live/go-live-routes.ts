import type { Config } from '../../config/config.ts'
import type { ResourceDeps } from '../../http/route/resource.ts'
import { type Route, routesOf } from '../../http/route/route.ts'
import { formatTime } from '../../lib/time/format-time.ts'
import { findBestDomain, findRealEmail } from './go-live-queries.ts'
import {
  findingToJson,
  GoLiveRecord,
  gradeOf,
  realEmailToJson,
  ServerChecksRecord,
} from './go-live-schemas.ts'
import type { ServerChecks, ServerChecksView } from './server-checks.ts'

interface Deps extends Pick<ResourceDeps, 'config' | 'lists'> {
  serverChecks: ServerChecks
}

const { route } = routesOf<Deps>()

const getGoLive = route('GET', '/go-live', {
  area: 'overview',
  permission: 'full',
  operationId: 'getGoLive',
  summary: 'Get the steps to real email',
  description:
    'What a team needs to send real email. Operators get the server checks from `GET /operator/server-checks`.',
  responses: { 200: { description: 'The steps.', schema: GoLiveRecord } },
  async handle({ caller, deps: { config, lists, serverChecks } }) {
    const email = await findRealEmail(lists, caller)
    const json = {
      object: 'go_live',
      delivery: config.delivery.kind,
      domain: await findBestDomain(lists, caller.teamId),
      email: email === null ? null : realEmailToJson(email),
      server: gradeOf(await serverChecks.read()),
    }
    return { status: 200, json }
  },
})

const common = { area: 'operator', permission: 'operator' } as const

const getServerChecks = route('GET', '/operator/server-checks', {
  ...common,
  operationId: 'getServerChecks',
  summary: 'Get the server checks',
  description: 'The findings of the last run, or those so far.',
  responses: { 200: { description: 'The last run.', schema: ServerChecksRecord } },
  async handle({ deps: { config, serverChecks } }) {
    return { status: 200, json: checksToJson(config, await serverChecks.read()) }
  },
})

const runServerChecks = route('POST', '/operator/server-checks', {
  ...common,
  operationId: 'runServerChecks',
  summary: 'Run the server checks',
  description:
    'Checks names, `PUBLIC_URL`, reverse DNS, SPF, and port 25 in both directions, as `sendwright doctor` does, for up to 50 seconds. Sends no mail. Starts at most one run a minute.',
  responses: { 202: { description: 'The new run, or the last one.', schema: ServerChecksRecord } },
  async handle({ deps: { config, serverChecks } }) {
    return { status: 202, json: checksToJson(config, await serverChecks.start()) }
  },
})

function checksToJson({ delivery, hostname }: Config, { state, run, nextAt }: ServerChecksView) {
  return {
    object: 'server_checks',
    state,
    delivery: delivery.kind,
    hostname,
    started_at: formatTime(run?.startedAt ?? null),
    checked_at: formatTime(run?.finishedAt ?? null),
    next_at: formatTime(nextAt),
    findings: (run?.findings ?? []).map(findingToJson),
  }
}

/** For teams. */
export const goLiveRoutes: readonly Route<Deps>[] = [getGoLive]
/** For operators. */
export const serverCheckRoutes: readonly Route<Deps>[] = [getServerChecks, runServerChecks]

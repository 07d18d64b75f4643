import Type from 'typebox'
import { listSites, pauseSite, resumePause } from '../delivery/sites/sites-queries.ts'
import type { ResourceDeps } from '../http/route/resource.ts'
import { type Route, routesOf } from '../http/route/route.ts'
import { Timestamp } from '../http/route/schemas.ts'
import { ApiError } from '../lib/api-error.ts'
import type { Log } from '../lib/log.ts'
import { cutToBytes, escapeControls } from '../lib/text/foreign-text.ts'
import { formatTime } from '../lib/time/format-time.ts'
import { REPORT_VALID_MS } from '../queue/closed-domains.ts'
import { EXAMPLE, NameParams, SIZE_MAX, SiteRecord, SitesQuery, siteToJson } from './site-schemas.ts'

interface Deps extends Pick<ResourceDeps, 'db' | 'lists' | 'clock'> {
  log: Log
}

const { route } = routesOf<Deps>()
const MINUTE_MS = 60_000
const MINUTES_MAX = 30 * 24 * 60
const REASON_BYTES_MAX = 500

const common = { area: 'sites', permission: 'operator' } as const

const getSites = route('GET', '/sites', {
  ...common,
  operationId: 'listSites',
  summary: 'List sites',
  description:
    'For operators (bearer token `SENDWRIGHT_OPERATOR_TOKEN`). A site is an MX set as seen from one source address. Sorted by name.',
  query: SitesQuery,
  responses: {
    200: {
      description: 'The sites as of a few seconds ago.',
      schema: Type.Object({
        object: Type.Literal('list'),
        has_more: Type.Boolean({ description: 'Whether more records follow.' }),
        data: Type.Array(SiteRecord),
      }),
    },
  },
  async handle({
    query: { site = null, state = null, limit = SIZE_MAX, after = null },
    deps: { lists, clock },
  }) {
    const now = clock.now()
    const since = new Date(now.getTime() - REPORT_VALID_MS)
    const sites = await listSites(lists, { site, state, after }, since, now, limit + 1)
    const json = {
      object: 'list',
      has_more: sites.length > limit,
      data: sites.slice(0, limit).map(siteToJson),
    }
    return { status: 200, json }
  },
})

const pauseSiteAsOperator = route('POST', '/sites/:name/pause', {
  ...common,
  operationId: 'pauseSite',
  summary: 'Pause a site',
  description:
    'Every process stops within seconds; deliveries in progress finish. Queued deliveries wait without using an attempt. A longer existing pause remains. When the pause ends, one process probes the site first.',
  params: NameParams,
  body: Type.Object(
    {
      minutes: Type.Integer({
        minimum: 1,
        maximum: MINUTES_MAX,
        description: 'Length of the pause, at most 30 days.',
      }),
      reason: Type.String({
        minLength: 1,
        maxLength: 500,
        pattern: '\\S',
        description: 'Reason. Teams whose mail waits see it.',
      }),
    },
    { examples: [{ minutes: 60, reason: 'We are asking the provider for a higher limit.' }] },
  ),
  responses: {
    200: {
      description: 'The site is paused.',
      schema: Type.Object(
        {
          object: Type.Literal('site'),
          name: Type.String({ description: 'Name of the site.' }),
          paused_until: Timestamp,
        },
        { examples: [{ object: 'site', name: EXAMPLE.name, paused_until: '2026-01-31 13:00:00' }] },
      ),
    },
  },
  async handle({ params: { name }, body: { minutes, reason }, session, deps: { db, clock, log } }) {
    const now = clock.now()
    const until = new Date(now.getTime() + minutes * MINUTE_MS)
    const shownReason = `Paused by an operator: ${cutToBytes(escapeControls(reason.trim()), REASON_BYTES_MAX)}`
    const pausedUntil = await pauseSite(db, name, { until, reason: shownReason }, now)
    if (pausedUntil === null) throw new ApiError('not_found', 'No process delivers to a site with this name.')
    log.info(
      { site: name, until: pausedUntil, user_id: session?.userId ?? null },
      'an operator paused a site',
    )
    return { status: 200, json: { object: 'site', name, paused_until: formatTime(pausedUntil) } }
  },
})

const resumeSite = route('POST', '/sites/:name/resume', {
  ...common,
  operationId: 'resumeSite',
  summary: 'Resume a site',
  description:
    'Every process reopens the site within seconds and starts its queued deliveries. If the server still rejects mail, the site closes again.',
  params: NameParams,
  responses: {
    200: {
      description: 'The site is open.',
      schema: Type.Object(
        {
          object: Type.Literal('site'),
          name: Type.String({ description: 'Name of the site.' }),
          resumed: Type.Literal(true),
        },
        { examples: [{ object: 'site', name: EXAMPLE.name, resumed: true }] },
      ),
    },
  },
  async handle({ params: { name }, deps: { db, clock } }) {
    if (!(await resumePause(db, name, clock.now()))) {
      throw new ApiError('not_found', 'No site with this name is paused or stopped.')
    }
    return { status: 200, json: { object: 'site', name, resumed: true } }
  },
})

export const siteRoutes: readonly Route<Deps>[] = [getSites, pauseSiteAsOperator, resumeSite]

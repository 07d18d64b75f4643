import Type from 'typebox'
import type { Db } from '../db/db-types.ts'
import {
  listSites,
  pauseSite,
  REPORT_VALID_MS,
  resumePause,
  type SeenSite,
} from '../delivery/sites/sites-queries.ts'
import { type Route, routesOf } from '../http/route.ts'
import { Timestamp, TimestampOrNull } from '../http/schemas.ts'
import { ApiError } from '../lib/api-error.ts'
import type { Log } from '../lib/log.ts'
import { cutToBytes, escapeControls } from '../lib/text/foreign-text.ts'
import type { Clock } from '../lib/time/clock.ts'
import { formatTime } from '../lib/time/format-time.ts'

interface Deps {
  db: Db
  lists: Db
  clock: Clock
  log: Log
}

const { route } = routesOf<Deps>()

const SIZE_MAX = 100
const NAME_LENGTH_MAX = 600
const MINUTE_MS = 60_000
const MINUTES_MAX = 30 * 24 * 60
const REASON_BYTES_MAX = 500

const common = { tag: 'Sites', permission: 'operator', limit: 'general' } as const

const EXAMPLE = {
  object: 'site',
  name: 'mx1.example.net,mx2.example.net',
  site: 'mx1.example.net,mx2.example.net',
  source: 'default',
  tls: 'opportunistic',
  relay: false,
  state: 'paused',
  reason: '421 4.7.28 Our system has detected an unusual rate of unsolicited mail.',
  category: 'rate_limited',
  failures: 1,
  paused_until: '2026-01-31 12:10:00',
  connections: 0,
  connections_limit: 1,
  connections_max: 20,
  messages_per_connection: 50,
  rate: null,
  waiting: 0,
  rules: 'Google, anywhere',
  processes: 1,
}

export const SiteRecord = Type.Object(
  {
    object: Type.Literal('site'),
    name: Type.String({ description: 'Names it in resume: the MX set, the class of TLS and the source.' }),
    site: Type.String({ description: 'The MX set, or `relay:host:port`.' }),
    source: Type.String({ description: 'The source address that it is seen from.' }),
    tls: Type.String({ description: 'What connections must prove; `opportunistic`: nothing.' }),
    relay: Type.Boolean({ description: 'Whether it is a relay.' }),
    state: Type.Enum(['open', 'paused', 'probing', 'stopped']),
    reason: Type.Union([Type.String(), Type.Null()], {
      description: 'What shut it, in the words of whoever said so.',
    }),
    category: Type.Union([Type.String(), Type.Null()], { description: 'The kind of reason.' }),
    failures: Type.Integer({ description: 'Failures in a row.' }),
    paused_until: TimestampOrNull,
    connections: Type.Integer({ description: 'Open now, of all processes.' }),
    connections_limit: Type.Integer({ description: 'Allowed at a time as it stands, of all processes.' }),
    connections_max: Type.Integer({ description: 'What one process may come to.' }),
    messages_per_connection: Type.Integer({ description: 'Then a connection is closed.' }),
    rate: Type.Union([Type.String(), Type.Null()], {
      description: 'Messages in a time, of one process, such as `100/1m`; null: no limit.',
    }),
    waiting: Type.Integer({ description: 'Deliveries in memory for it; more may wait in the database.' }),
    rules: Type.String({ description: 'The shaping rules that fit, in their order.' }),
    processes: Type.Integer({ description: 'How many processes deliver to it.' }),
  },
  { title: 'Site', examples: [EXAMPLE] },
)

function siteToJson(site: SeenSite) {
  return {
    object: 'site',
    name: site.name,
    site: site.site,
    source: site.source,
    tls: site.tls,
    relay: site.relay,
    state: site.state,
    reason: site.reason,
    category: site.category,
    failures: site.failures,
    paused_until: formatTime(site.pausedUntil),
    connections: site.connections,
    connections_limit: site.connectionsLimit,
    connections_max: site.connectionsMax,
    messages_per_connection: site.messagesPerConnection,
    rate: site.rate,
    waiting: site.waiting,
    rules: site.rules,
    processes: site.processes,
  }
}

const SitesQuery = Type.Object({
  site: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: NAME_LENGTH_MAX,
      description: 'Only names that this is part of.',
    }),
  ),
  state: Type.Optional(
    Type.Enum(['open', 'paused', 'probing', 'stopped'], { description: 'Only sites in this state.' }),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: SIZE_MAX, description: `Records; ${SIZE_MAX} by default.` }),
  ),
  after: Type.Optional(
    Type.String({ minLength: 1, maxLength: NAME_LENGTH_MAX, description: 'Continue after this name.' }),
  ),
})

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
        has_more: Type.Boolean({ description: 'There are more behind the last one.' }),
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
    const found = await listSites(lists, { site, state, after }, since, now, limit + 1)
    const json = {
      object: 'list',
      has_more: found.length > limit,
      data: found.slice(0, limit).map(siteToJson),
    }
    return { status: 200, json }
  },
})

const NameParams = Type.Object({
  name: Type.String({ minLength: 1, maxLength: NAME_LENGTH_MAX, description: 'The name of the site.' }),
})

const pauseByHand = route('POST', '/sites/:name/pause', {
  ...common,
  operationId: 'pauseSite',
  summary: 'Pause a site',
  description:
    'For operators. Deliveries in progress finish; every process stops within seconds. Queued deliveries wait without using an attempt, and teams see the reason. A longer existing pause remains. When the pause ends, one process probes the site first.',
  params: NameParams,
  body: Type.Object(
    {
      minutes: Type.Integer({
        minimum: 1,
        maximum: MINUTES_MAX,
        description: 'For how long; at most 30 days.',
      }),
      reason: Type.String({
        minLength: 1,
        maxLength: 500,
        pattern: '\\S',
        description: 'Why, in words; teams whose mail waits see it.',
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
          name: Type.String({ description: 'The name of the site.' }),
          paused_until: Timestamp,
        },
        { examples: [{ object: 'site', name: EXAMPLE.name, paused_until: '2026-01-31 13:00:00' }] },
      ),
    },
  },
  async handle({ params: { name }, body: { minutes, reason }, session, deps: { db, clock, log } }) {
    const now = clock.now()
    const until = new Date(now.getTime() + minutes * MINUTE_MS)
    const told = `Paused by an operator: ${cutToBytes(escapeControls(reason.trim()), REASON_BYTES_MAX)}`
    const pausedUntil = await pauseSite(db, name, { until, reason: told }, now)
    if (pausedUntil === null) throw new ApiError('not_found', 'No process knows a site of this name.')
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
    'For operators. Every process reopens the site within seconds, and its queued deliveries start at once. A server that still refuses closes it again.',
  params: NameParams,
  responses: {
    200: {
      description: 'The site is open.',
      schema: Type.Object(
        {
          object: Type.Literal('site'),
          name: Type.String({ description: 'The name of the site.' }),
          resumed: Type.Literal(true),
        },
        { examples: [{ object: 'site', name: EXAMPLE.name, resumed: true }] },
      ),
    },
  },
  async handle({ params: { name }, deps: { db, clock } }) {
    if (!(await resumePause(db, name, clock.now()))) {
      throw new ApiError('not_found', 'No site of this name is paused or stopped.')
    }
    return { status: 200, json: { object: 'site', name, resumed: true } }
  },
})

export const siteRoutes: readonly Route<Deps>[] = [getSites, pauseByHand, resumeSite]

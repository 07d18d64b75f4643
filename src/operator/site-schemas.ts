import Type from 'typebox'
import type { SiteOverview } from '../delivery/sites/sites-queries.ts'
import { TextOrNull, TimestampOrNull } from '../http/route/schemas.ts'
import { formatTime } from '../lib/time/format-time.ts'

export const SIZE_MAX = 100
const NAME_LENGTH_MAX = 600

export const EXAMPLE = {
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
    name: Type.String({ description: 'Identifies the site: MX set, TLS class, and source.' }),
    site: Type.String({ description: 'MX set, or `relay:host:port`.' }),
    source: Type.String({ description: 'Source address of the connections.' }),
    tls: Type.String({ description: 'Required TLS verification. `opportunistic`: none.' }),
    relay: Type.Boolean({ description: 'Whether it is a relay.' }),
    state: Type.Enum(['open', 'paused', 'probing', 'stopped']),
    reason: TextOrNull('Why the site is not open: an SMTP reply, or the reason given by an operator.'),
    category: TextOrNull('Reason as an identifier.'),
    failures: Type.Integer({ description: 'Consecutive failures.' }),
    paused_until: TimestampOrNull,
    connections: Type.Integer({ description: 'Open connections of all processes.' }),
    connections_limit: Type.Integer({ description: 'Current limit of connections for all processes.' }),
    connections_max: Type.Integer({ description: 'Maximum connections per process.' }),
    messages_per_connection: Type.Integer({ description: 'Messages before a connection is closed.' }),
    rate: TextOrNull('Messages per period and process, such as `100/1m`. Null: no limit.'),
    waiting: Type.Integer({
      description: 'Deliveries in memory that wait for the site. More can wait in the database.',
    }),
    rules: Type.String({ description: 'The matching shaping rules, in order.' }),
    processes: Type.Integer({ description: 'Number of processes that deliver to it.' }),
  },
  { title: 'Site', examples: [EXAMPLE] },
)

export function siteToJson(site: SiteOverview) {
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

export const SitesQuery = Type.Object({
  site: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: NAME_LENGTH_MAX,
      description: 'Part of the name.',
    }),
  ),
  state: Type.Optional(
    Type.Enum(['open', 'paused', 'probing', 'stopped'], { description: 'Only sites in this state.' }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: SIZE_MAX,
      description: `Maximum number of sites. Default ${SIZE_MAX}.`,
    }),
  ),
  after: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: NAME_LENGTH_MAX,
      description: 'Returns the sites after this name.',
    }),
  ),
})

export const NameParams = Type.Object({
  name: Type.String({ minLength: 1, maxLength: NAME_LENGTH_MAX, description: 'Name of the site.' }),
})

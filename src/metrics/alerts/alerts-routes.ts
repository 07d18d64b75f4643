import Type from 'typebox'
import type { Caller } from '../../access/authenticate.ts'
import { leastRole } from '../../access/permissions.ts'
import { isAtLeast } from '../../access/roles.ts'
import type { Config } from '../../config/config.ts'
import type { Db } from '../../db/db-types.ts'
import { wholeListOf } from '../../http/page.ts'
import { type Route, routesOf } from '../../http/route.ts'
import { Text, TextOrNull, TimestampOrNull } from '../../http/schemas.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { formatTime } from '../../lib/time/format-time.ts'
import { guardLimitsOf } from '../guard.ts'
import { type Alert, ATTENTION_KINDS } from './alert.ts'
import { findAlerts } from './find-alerts.ts'

interface Deps {
  config: Config
  lists: Db
  clock: Clock
}

const { route } = routesOf<Deps>()

const EXAMPLE = {
  object: 'attention_item',
  kind: 'domain_unverified',
  severity: 'warning',
  message:
    'example.com is not verified yet, so nothing can be sent from it: publish its DNS records. The DKIM record was not found.',
  subject: { type: 'domain', id: '0198c0de-0000-7000-8000-0000000000b1', name: 'example.com' },
  since: '2026-01-15 12:00:00',
}

export const AlertsAnswer = Type.Object(
  {
    object: Type.Literal('attention_item'),
    kind: Type.Enum([...ATTENTION_KINDS], { description: 'What it is.' }),
    severity: Type.Enum(['info', 'warning', 'critical'], {
      description: 'critical: mail or events are held up or refused, or are about to be.',
    }),
    message: Text('What it is and what to do, in words for people.'),
    subject: Type.Union(
      [
        Type.Object({
          type: Text('`domain`, `webhook`, `email`, `api_key`, or `site`: servers that mail waits for.'),
          id: TextOrNull('Its id; null where it has none.'),
          name: Text('What it is called: a name, a URL, a subject, a recipients’ domain.'),
        }),
        Type.Null(),
      ],
      { description: 'What it is about; null: the account as a whole.' },
    ),
    since: Type.Union([TimestampOrNull], { description: 'Since when, where that is known.' }),
  },
  { title: 'Alerts', examples: [EXAMPLE] },
)

function alertToJson({ since, ...item }: Alert) {
  return { object: 'attention_item', ...item, since: formatTime(since) }
}

/** Who may not see keys is not told of them here. */
function maySeeKeys({ user }: Caller): boolean {
  return user === null || isAtLeast(user.role, leastRole({ method: 'GET', tag: 'API keys' }))
}

const getAttention = route('GET', '/attention', {
  tag: 'Overview',
  permission: 'full',
  limit: 'general',
  operationId: 'listAlerts',
  summary: 'List alerts',
  description:
    'Unverified domains, servers that defer your mail, failing webhooks, quotas that run out, a sending pause, an email that has waited too long, bounce and complaint rates near their limits, and keys that expire within a week. At most 20 of each kind, most severe first.',
  responses: {
    200: {
      description: 'The alerts; empty when there are none.',
      schema: wholeListOf(AlertsAnswer),
    },
  },
  async handle({ caller, deps: { lists, config, clock } }) {
    const items = await findAlerts(lists, caller, guardLimitsOf(config), clock.now())
    const shown = items.filter(({ kind }) => kind !== 'api_key_expiring' || maySeeKeys(caller))
    return { status: 200, json: { object: 'list', data: shown.map(alertToJson) } }
  },
})

export const alertsRoutes: readonly Route<Deps>[] = [getAttention]

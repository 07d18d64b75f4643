import Type from 'typebox'
import type { Config } from '../../config/config.ts'
import type { Db } from '../../db/db-types.ts'
import { type Route, routesOf } from '../../http/route.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { KEPT_KINDS } from '../../teams/team-retention-queries.ts'
import { changeKept, type Kept, type KeptChanges, readKept } from './change-retention.ts'
import { installationPeriods, type Periods, writePeriod } from './periods.ts'

interface Deps {
  config: Config
  db: Db
  clock: Clock
}

const { route } = routesOf<Deps>()

const Period = (description: string) =>
  Type.String({
    pattern: '^(\\d+d|forever)$',
    description: `${description} Days, as \`30d\`, or \`forever\`.`,
  })

const KIND_TEXTS = {
  content: 'What emails say: html, text, headers, attachments, the raw message; the captured mailbox too.',
  attempts: 'Tries with their SMTP conversations.',
  events: 'The event feed and the timelines of emails; at least 7 days.',
  webhook_deliveries: 'What webhooks were told, and what they answered.',
} as const

const periods = {
  content: Period(KIND_TEXTS.content),
  attempts: Period(KIND_TEXTS.attempts),
  events: Period(KIND_TEXTS.events),
  webhook_deliveries: Period(KIND_TEXTS.webhook_deliveries),
}

const LIMITS = { content: '30d', attempts: '30d', events: '90d', webhook_deliveries: '30d' }
const EXAMPLE = { object: 'retention', ...LIMITS, content: '7d', emails: '90d', limits: LIMITS }

export const Retention = Type.Object(
  {
    object: Type.Literal('retention'),
    ...periods,
    emails: Period('Emails themselves with their recipients: the longest of the others.'),
    limits: Type.Object(periods, { description: 'The longest that the operator allows.' }),
  },
  { title: 'Retention', examples: [EXAMPLE] },
)

const Change = (description: string) =>
  Type.Optional(
    Type.Union([Type.String({ maxLength: 20 }), Type.Null()], {
      description: `${description} Within \`limits\`; null: as long as these say.`,
    }),
  )

const RetentionChange = Type.Object(
  {
    content: Change(KIND_TEXTS.content),
    attempts: Change(KIND_TEXTS.attempts),
    events: Change(KIND_TEXTS.events),
    webhook_deliveries: Change(KIND_TEXTS.webhook_deliveries),
  },
  { examples: [{ content: '7d' }] },
)

const DESCRIPTION = [
  'How long the account keeps each kind of data.',
  'A period starts when an email is accepted (or at its scheduled time, if later), when an event happens, or when a webhook is sent.',
  'Data is kept at least this long and is mostly deleted by whole weeks. Emails still to be delivered are kept until they finish.',
].join(' ')

const common = { tag: 'Retention', permission: 'full', limit: 'general' } as const
const responses = { 200: { description: 'The periods in force.', schema: Retention } }

const getRetention = route('GET', '/retention', {
  ...common,
  operationId: 'getRetention',
  summary: 'Get retention periods',
  description: DESCRIPTION,
  responses,
  async handle({ caller, deps: { db, config } }) {
    return { status: 200, json: keptToJson(await readKept(db, installationPeriods(config), caller.teamId)) }
  },
})

const changeRetention = route('PATCH', '/retention', {
  ...common,
  operationId: 'updateRetention',
  action: 'retention.update',
  summary: 'Change retention periods',
  description:
    'No longer than the operator allows (`limits`). Data older than a shortened period is deleted for good within hours.',
  body: RetentionChange,
  responses,
  async handle({ caller, body, audited, deps: { clock, config } }) {
    const installation = installationPeriods(config)
    const changes: KeptChanges = body
    const kept = await audited.transaction((tx) =>
      changeKept(tx, installation, caller.teamId, changes, clock.now()),
    )
    return { status: 200, json: keptToJson(kept) }
  },
})

function keptToJson({ periods: own, limits }: Kept) {
  return { object: 'retention', ...write(own), emails: writePeriod(own.emails), limits: write(limits) }
}

function write(of: Periods) {
  return Object.fromEntries(KEPT_KINDS.map((kind) => [kind, writePeriod(of[kind])]))
}

export const retentionRoutes: readonly Route<Deps>[] = [getRetention, changeRetention]

import Type from 'typebox'
import { KEPT_KINDS } from '../../teams/team-retention-queries.ts'
import type { Kept } from './change-retention.ts'
import { type Periods, writePeriod } from './periods.ts'

const Period = (description: string) =>
  Type.String({
    pattern: '^(\\d+d|forever)$',
    description,
  })

const KIND_TEXTS = {
  content: 'HTML, text, headers, attachments, raw messages, and captured messages.',
  attempts: 'Attempts with their SMTP transcripts.',
  events: 'The event feed and the events of emails; at least 7 days.',
  webhook_deliveries: 'Webhook deliveries with requests and responses.',
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
    emails: Period('Emails with their recipients: the longest of the other periods.'),
    limits: Type.Union([Type.Object(periods, { title: 'RetentionPeriods' })], {
      description: 'The longest periods that the operator allows.',
    }),
  },
  { title: 'Retention', 'x-extends': 'RetentionPeriods', examples: [EXAMPLE] },
)

const Change = (description: string) =>
  Type.Optional(
    Type.Union([Type.String({ maxLength: 20 }), Type.Null()], {
      description: `${description} Null: as in \`limits\`.`,
    }),
  )

export const RetentionChange = Type.Object(
  {
    content: Change(KIND_TEXTS.content),
    attempts: Change(KIND_TEXTS.attempts),
    events: Change(KIND_TEXTS.events),
    webhook_deliveries: Change(KIND_TEXTS.webhook_deliveries),
  },
  { examples: [{ content: '7d' }] },
)

export function keptToJson({ periods: own, limits }: Kept) {
  return { object: 'retention', ...write(own), emails: writePeriod(own.emails), limits: write(limits) }
}

function write(of: Periods) {
  return Object.fromEntries(KEPT_KINDS.map((kind) => [kind, writePeriod(of[kind])]))
}

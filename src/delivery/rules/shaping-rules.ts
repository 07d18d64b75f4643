import Type, { type Static } from 'typebox'
import { hasUnboundedWork } from './pattern-work.ts'
import { durationOf, RATE, readRate } from './quantities.ts'

const RULES_MAX = 500
const NAMES_MAX = 1000
const REPLIES_MAX = 50
export const CONNECTIONS_MAX = 500
const closed = { additionalProperties: false }

export const DURATION = '^\\d{1,6}(ms|s|m|h|d)$'
const Duration = Type.String({ pattern: DURATION, description: 'a duration such as 30s, 15m or 4h' })
const Suffix = Type.String({
  pattern: '^(?=.{1,253}$)[A-Za-z0-9_-]{1,63}(\\.[A-Za-z0-9_-]{1,63})*$',
  description: 'a name such as example.com, in ASCII',
})
/** Stages of an SMTP session that a reply can belong to. */
const STAGES = ['greeting', 'ehlo', 'starttls', 'auth', 'mail', 'rcpt', 'data', 'dot'] as const
export const PATTERN_LENGTH_MAX = 200

const ReplyRule = Type.Object(
  {
    pattern: Type.String({
      minLength: 1,
      maxLength: PATTERN_LENGTH_MAX,
      description: `a regular expression of 1 to ${PATTERN_LENGTH_MAX} characters`,
    }),
    stage: Type.Optional(Type.Enum([...STAGES], { description: `one of ${STAGES.join(', ')}` })),
    code: Type.Optional(
      Type.Integer({ minimum: 400, maximum: 599, description: 'a reply code from 400 to 599' }),
    ),
    action: Type.Enum(['slow_down', 'pause', 'stop'], { description: 'one of slow_down, pause, stop' }),
    for: Type.Optional(Duration),
  },
  closed,
)

export const SiteMatch = {
  mx: Type.Optional(Type.Array(Suffix, { minItems: 1, maxItems: NAMES_MAX })),
  domain: Type.Optional(Type.Array(Suffix, { minItems: 1, maxItems: NAMES_MAX })),
}

const ShapingRule = Type.Object(
  {
    name: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9][A-Za-z0-9 ._-]{0,62}$',
        description: 'a name of letters, digits, spaces, dots and hyphens',
      }),
    ),
    match: Type.Optional(Type.Object(SiteMatch, { ...closed, minProperties: 1 })),
    connections_max: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: CONNECTIONS_MAX,
        description: `an integer from 1 to ${CONNECTIONS_MAX}`,
      }),
    ),
    connections_start: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: CONNECTIONS_MAX,
        description: `an integer from 1 to ${CONNECTIONS_MAX}`,
      }),
    ),
    messages_per_connection: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 10_000, description: 'an integer from 1 to 10000' }),
    ),
    rate: Type.Optional(
      Type.String({
        pattern: RATE,
        description: 'a number of messages and a period, such as "100/1m" or "5/1s"',
      }),
    ),
    replies: Type.Optional(Type.Array(ReplyRule, { maxItems: REPLIES_MAX })),
  },
  closed,
)

/** The sections of the rules file about limits and pauses. */
export const SHAPING_SECTIONS = {
  shaping: Type.Optional(Type.Array(ShapingRule, { maxItems: RULES_MAX })),
  probes: Type.Optional(
    Type.Array(Duration, { minItems: 1, maxItems: 20, description: 'a list of 1 to 20 durations' }),
  ),
}
/** One shaping rule as data, from the operator's file or built in. */
export type GivenShaping = Static<typeof ShapingRule>

/** The effect of a matching reply on its site. */
export interface ReplyRuleOfSite {
  pattern: RegExp
  stage: string | null
  code: number | null
  action: 'slow_down' | 'pause' | 'stop'
  /** Duration of a pause or stop; null for the pause that the reply requests, or else the default. */
  forMs: number | null
}

/** A shaping rule, resolved. */
export interface SiteRule {
  name: string
  /** Null for every site. */
  mx: readonly string[] | null
  /** Recipient domains with their own connections and limits. */
  domain: ReadonlySet<string> | null
  connectionsMax: number | null
  connectionsStart: number | null
  messagesPerConnection: number | null
  rate: { count: number; perMs: number } | null
  replies: readonly ReplyRuleOfSite[]
}

/**
 * Resolves patterns and quantities.
 * @param problems receives sentences that begin with the place of the problem; use the result only if it stays empty
 */
export function resolveShaping(
  rules: readonly GivenShaping[],
  problems: string[],
  at = 'shaping',
): SiteRule[] {
  return rules.map((rule, index) => {
    const where = `${at}[${index}]`
    const { connections_max: max, connections_start: start } = rule
    if (max !== undefined && start !== undefined && start > max)
      problems.push(`${where}.connections_start: it must not exceed connections_max (${max}).`)
    return {
      name: rule.name ?? where,
      mx: lower(rule.match?.mx),
      domain: rule.match?.domain === undefined ? null : new Set(lower(rule.match.domain)),
      connectionsMax: max ?? null,
      connectionsStart: start ?? null,
      messagesPerConnection: rule.messages_per_connection ?? null,
      rate: rule.rate === undefined ? null : readRate(rule.rate, `${where}.rate`, problems),
      replies: (rule.replies ?? []).map((reply, place) =>
        resolveReply(reply, `${where}.replies[${place}]`, problems),
      ),
    }
  })
}

const lower = (names: readonly string[] | undefined) => names?.map((name) => name.toLowerCase()) ?? null

function resolveReply(rule: Static<typeof ReplyRule>, where: string, problems: string[]): ReplyRuleOfSite {
  let pattern = /(?!)/
  try {
    pattern = new RegExp(rule.pattern, 'i')
  } catch {
    problems.push(`${where}.pattern: it must be a regular expression.`)
  }
  if (hasUnboundedWork(rule.pattern)) {
    problems.push(
      `${where}.pattern: it could take too long on some replies. Do not repeat groups, do not use back-references, and bound each repetition (.{0,40} instead of .*).`,
    )
  }
  if (rule.for !== undefined && rule.action === 'slow_down')
    problems.push(`${where}.for: only the actions pause and stop accept a duration.`)
  return {
    pattern,
    stage: rule.stage ?? null,
    code: rule.code ?? null,
    action: rule.action,
    forMs: rule.for === undefined ? null : durationOf(rule.for),
  }
}

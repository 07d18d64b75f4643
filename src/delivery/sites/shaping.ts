import type { ReplyRuleOfSite, SiteRule } from './shaping-rules.ts'

/** How mail goes to one site, and the names of the rules that say so. */
export interface Shaping {
  connectionsMax: number
  connectionsStart: number
  messagesPerConnection: number
  rate: { count: number; perMs: number } | null
  replies: readonly ReplyRuleOfSite[]
  /** For people, in the order in which they count; empty: none applies. */
  rules: readonly string[]
}

const CONNECTIONS_MAX = 20
const CONNECTIONS_START = 2
const MESSAGES_PER_CONNECTION = 100
/** Of a reply, its code and its enhanced code. */
const TEXT_LENGTH_MAX = 500

/** What is known of a site when its rules are looked for. */
export interface ShapedSite {
  /** Names of its hosts, lower case; a relay's own. */
  hosts: readonly string[]
  /** Name of the rule that parted it from its MX set for some domains; null: it is the whole MX set. */
  partOf: string | null
}

/** Of each field the first rule that fits counts; replies of all that fit are asked in their order. */
export function shapeSite(rules: readonly SiteRule[], site: ShapedSite): Shaping {
  const fitting = rules.filter((rule) => fits(rule, site))
  const first = <T>(pick: (rule: SiteRule) => T | null): T | null => {
    for (const rule of fitting) {
      const value = pick(rule)
      if (value !== null) return value
    }
    return null
  }
  const connectionsMax = first((rule) => rule.connectionsMax) ?? CONNECTIONS_MAX
  return {
    connectionsMax,
    connectionsStart: Math.min(first((rule) => rule.connectionsStart) ?? CONNECTIONS_START, connectionsMax),
    messagesPerConnection: first((rule) => rule.messagesPerConnection) ?? MESSAGES_PER_CONNECTION,
    rate: first((rule) => rule.rate),
    replies: fitting.flatMap((rule) => rule.replies),
    rules: fitting.map((rule) => rule.name),
  }
}

function fits(rule: SiteRule, { hosts, partOf }: ShapedSite): boolean {
  if (rule.domain !== null) return rule.name === partOf && (rule.mx === null || endsWithAny(hosts, rule.mx))
  return rule.mx === null || endsWithAny(hosts, rule.mx)
}

/** The rule by which a domain has connections of its own, apart from the other domains of its MX set. */
export function findDomainRule(
  rules: readonly SiteRule[],
  domain: string,
  hosts: readonly string[],
): string | null {
  const rule = rules.find(
    ({ domain: names, mx }) => names?.has(domain) === true && (mx === null || endsWithAny(hosts, mx)),
  )
  return rule?.name ?? null
}

/** Whether any host is one of these names or lies below one. */
export function endsWithAny(hosts: readonly string[], suffixes: readonly string[]): boolean {
  return hosts.some((host) => suffixes.some((suffix) => host === suffix || host.endsWith(`.${suffix}`)))
}

/** What was said, where. */
export interface GivenAnswer {
  stage: string
  code: number
  enhanced: string | null
  text: string
}

/** The first rule that knows the reply. */
export function findReplyRule(
  replies: readonly ReplyRuleOfSite[],
  { stage, code, enhanced, text }: GivenAnswer,
): ReplyRuleOfSite | null {
  if (code < 400 || replies.length === 0) return null
  const whole = [code, enhanced, text.slice(0, TEXT_LENGTH_MAX)].filter((part) => part !== null).join(' ')
  return (
    replies.find(
      (rule) =>
        (rule.stage === null || rule.stage === stage) &&
        (rule.code === null || rule.code === code) &&
        rule.pattern.test(whole),
    ) ?? null
  )
}

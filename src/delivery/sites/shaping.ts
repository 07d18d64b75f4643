import type { ReplyRuleOfSite, SiteRule } from '../rules/shaping-rules.ts'

/** The limits for mail to one site, and the names of the rules that set them. */
export interface Shaping {
  connectionsMax: number
  connectionsStart: number
  messagesPerConnection: number
  rate: { count: number; perMs: number } | null
  replies: readonly ReplyRuleOfSite[]
  /** The names that operators see, in order of precedence. Empty if no rule applies. */
  rules: readonly string[]
}

const CONNECTIONS_MAX = 20
const CONNECTIONS_START = 2
const MESSAGES_PER_CONNECTION = 100
/** Patterns are matched against at most this many characters of a reply's text, without its codes. */
const TEXT_LENGTH_MAX = 500

/** The properties of a site that rules match on. */
export interface ShapedSite {
  /** Lower-case names of its hosts, or the relay's own. */
  hosts: readonly string[]
  /** The rule that separates some domains from the MX set, or null for the whole set. */
  partOf: string | null
}

/**
 * Returns the shaping of a site. For each field the first matching rule counts; the reply rules of all matching rules
 * apply in order.
 */
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

/** Returns the rule that gives a domain its own connections, apart from the other domains of its MX set. */
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

/** Returns whether any host equals one of these names or is a subdomain of one. */
export function endsWithAny(hosts: readonly string[], suffixes: readonly string[]): boolean {
  return hosts.some((host) => suffixes.some((suffix) => host === suffix || host.endsWith(`.${suffix}`)))
}

/** A reply and its stage. */
export interface StagedReply {
  stage: string
  code: number
  enhanced: string | null
  text: string
}

/** Returns the first rule that matches the reply. */
export function findReplyRule(
  replies: readonly ReplyRuleOfSite[],
  { stage, code, enhanced, text }: StagedReply,
): ReplyRuleOfSite | null {
  if (code < 400 || replies.length === 0) return null
  const line = [code, enhanced, text.slice(0, TEXT_LENGTH_MAX)].filter((part) => part !== null).join(' ')
  return (
    replies.find(
      (rule) =>
        (rule.stage === null || rule.stage === stage) &&
        (rule.code === null || rule.code === code) &&
        rule.pattern.test(line),
    ) ?? null
  )
}

import type { MxAnswer } from '../lib/dns/mx.ts'
import type { Verdict } from '../queue/types.ts'
import { castsDoubt } from './doubt-words.ts'
import type { ReplyRule } from './reply-rule.ts'
import { REPLY_RULES } from './reply-rules.ts'
import type { FailureKind, Stage } from './stages.ts'
import { CATEGORIES, type Category, type CategoryName } from './verdict-categories.ts'

/** The parts of a server's reply that matter. */
export interface GivenReply {
  /** 200-599. */
  code: number
  /** RFC 3463, for example `5.1.1`; null when the server gave none. */
  enhanced: string | null
  text: string
}

const RETRY_AFTER_MAX_MS = 24 * 3_600_000

/** Returns the verdict of a category; only bounces may suppress. */
export function verdictOf(
  name: CategoryName,
  state: Verdict['state'],
  retryAfterMs: number | null = null,
): Verdict {
  const { fault, suppress }: Category = CATEGORIES[name]
  return {
    state,
    category: name,
    fault,
    suppress: state === 'bounced' && suppress === true,
    retryAfterMs: state === 'deferred' ? retryAfterMs : null,
  }
}

/**
 * Classifies a server's reply for one recipient. `stage` is the stage of the session, `mxHost` the replying host. 2xx is
 * acceptance only after the dot: a server that greets with 250 has taken no message. A 4xx always defers; a 5xx before MAIL
 * concerns this host, not the recipient, and defers too.
 */
export function classifyReply(reply: GivenReply, stage: Stage, mxHost = ''): Verdict {
  if (reply.code < 300)
    return stage === 'dot' ? verdictOf('accepted', 'delivered') : verdictOf('protocol_broken', 'deferred')
  const name = findCategory(REPLY_RULES, reply, stage, mxHost) ?? 'temporary'
  const isFinal = reply.code >= 500 && !isBeforeMail(stage)
  const state = isFinal ? CATEGORIES[name].final : 'deferred'
  const verdict = verdictOf(name, state, readRetryAfter(reply.text))
  // A 5xx with a 4.x.x enhanced code, or with words of another reason, contradicts itself: it never suppresses.
  const isDoubtful = reply.enhanced?.startsWith('4') === true || castsDoubt(reply.text)
  return isDoubtful ? { ...verdict, suppress: false } : verdict
}

/** Returns the category of the first matching rule; null if none matches. */
export function findCategory(
  rules: readonly ReplyRule[],
  reply: GivenReply,
  stage: Stage,
  mxHost: string,
): CategoryName | null {
  const subject = subjectOf(reply)
  return rules.find((rule) => matches(rule, subject, stage, mxHost))?.category ?? null
}

interface Subject {
  code: string
  /** The code without its class: `1.1` for 5.1.1; empty when the server gave none. */
  enhanced: string
  text: string
}

/** Some servers put the enhanced code inside the text (`550 <a@b>: 5.1.1 ...`); it counts when there is no other. */
function subjectOf({ code, enhanced, text }: GivenReply): Subject {
  const enhancedCode =
    enhanced ?? /(?:^|[\s(#<>:])([45]\.\d{1,2}\.\d{1,3})(?=[\s):,;]|$)/.exec(text)?.[1] ?? ''
  return { code: String(code), enhanced: enhancedCode.slice(2), text }
}

function matches(rule: ReplyRule, { code, enhanced, text }: Subject, stage: Stage, mxHost: string): boolean {
  if (rule.stages !== undefined && !rule.stages.includes(stage)) return false
  if (rule.code !== undefined && !rule.code.test(code)) return false
  if (rule.enhanced !== undefined && !rule.enhanced.test(enhanced)) return false
  if (rule.host !== undefined && !rule.host.test(mxHost)) return false
  return rule.text === undefined || rule.text.test(text)
}

function isBeforeMail(stage: Stage): boolean {
  return stage !== 'mail' && stage !== 'rcpt' && stage !== 'data' && stage !== 'dot'
}

const CLOCK_TIME = /\b(?:in|for|after|until)\s+(\d{1,2}):(\d\d):(\d\d)\b/i
const AMOUNT =
  /\b(?:try|retry|again|wait|gr[ea]y-?list\w*|deferred|delay\w*|back)\b[^.;]{0,60}?\b(\d{1,6})\s*(s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?)\b/i

/**
 * Returns the milliseconds to wait that a reply requests ("try again in 5 minutes"), at most a day, or null if it names
 * no time.
 */
function readRetryAfter(text: string): number | null {
  const clock = CLOCK_TIME.exec(text)
  if (clock !== null) {
    const seconds = Number(clock[1]) * 3600 + Number(clock[2]) * 60 + Number(clock[3])
    return Math.min(seconds * 1000, RETRY_AFTER_MAX_MS) || null
  }
  const amount = AMOUNT.exec(text)
  if (amount === null) return null
  const unit = amount[2]?.[0]?.toLowerCase()
  const unitMs = unit === 'h' ? 3_600_000 : unit === 'm' ? 60_000 : 1000
  return Math.min(Number(amount[1]) * unitMs, RETRY_AFTER_MAX_MS) || null
}

const CATEGORY_OF_FAILURE: Record<FailureKind, CategoryName> = {
  refused_address: 'address_refused',
  unreachable: 'unreachable',
  timeout: 'timeout',
  closed: 'connection_lost',
  protocol: 'protocol_broken',
  aborted: 'interrupted',
  tls_handshake: 'tls_failed',
  tls_certificate: 'tls_required',
  tls_unavailable: 'tls_required',
  mta_sts: 'mta_sts_failed',
  dane: 'dane_failed',
  auth_unavailable: 'login_refused',
  auth_without_tls: 'login_refused',
  too_large: 'too_large',
  smtputf8_unsupported: 'smtputf8_unsupported',
  eight_bit_unsupported: 'eight_bit_unsupported',
  requiretls_unsupported: 'requiretls_unsupported',
  bad_address: 'bad_address',
}

/** Classifies an attempt without a deciding reply. Only our own refusals are final; a dropped connection is retried. */
export function classifyFailure(kind: FailureKind, stage: Stage): Verdict {
  const lostLink = kind === 'closed' || kind === 'timeout' || kind === 'aborted'
  const name = stage === 'dot' && lostLink ? 'lost_after_content' : CATEGORY_OF_FAILURE[kind]
  return verdictOf(name, CATEGORIES[name].final)
}

/** Classifies a DNS answer that names no host. */
export function classifyDns(answer: Exclude<MxAnswer, { kind: 'hosts' }>): Verdict {
  if (answer.kind === 'temporary') return verdictOf('dns_trouble', 'deferred')
  return verdictOf(answer.kind === 'no_domain' ? 'no_such_domain' : answer.kind, 'bounced')
}

/** Returns the enhanced status code (RFC 3463, RFC 7505) of a result without a server's reply; null if none fits. */
export function enhancedCodeOf(reason: FailureKind | Exclude<MxAnswer['kind'], 'hosts'>): string | null {
  const codes: Partial<Record<typeof reason, string>> = {
    refused_address: '5.4.4',
    too_large: '5.3.4',
    smtputf8_unsupported: '5.6.7',
    eight_bit_unsupported: '5.6.3',
    requiretls_unsupported: '5.7.30',
    mta_sts: '4.7.5',
    dane: '4.7.5',
    bad_address: '5.1.3',
    null_mx: '5.1.10',
    no_domain: '5.1.2',
    no_mail_host: '5.4.4',
    temporary: '4.4.3',
    unreachable: '4.4.1',
    timeout: '4.4.2',
    closed: '4.4.2',
  }
  return codes[reason] ?? null
}

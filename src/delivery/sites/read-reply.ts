import { explainCategory } from '../../classification/advise.ts'
import { hideAddresses } from '../../lib/text/foreign-text.ts'
import type { DeliveryResult } from '../../queue/types.ts'
import { findReplyRule, type Shaping } from './shaping.ts'
import type { Pause } from './site-throttle.ts'

/** The pause of a reply rule when neither the rule nor the reply gives a duration. */
const PAUSE_MS = 5 * 60_000
/**
 * The longest wait that a reply to one recipient or message can impose on all mail to the site, because that recipient
 * or message may have influenced the text. Its own delivery waits as long as the reply asks.
 */
const WAIT_FROM_ONE_MS_MAX = 60 * 60_000
/** A stop lasts for this time, unless an operator resumes the site earlier. */
const STOP_MS = 24 * 3_600_000

/** A reply's request: nothing, fewer connections, or a pause. */
export type ReplyRequest =
  | { kind: 'nothing' }
  | { kind: 'less' }
  | { kind: 'pause'; state: Pause['state']; ms: number; category: string; reason: string }

/**
 * Interprets a reply, first by the site's rules, then by its own text, in which a server that asks to slow down
 * (`slowDown`) may name a time. Greylisting concerns one recipient, not the rate.
 */
export function readReply(
  { replies }: Pick<Shaping, 'replies'>,
  result: DeliveryResult,
  stage: string,
  slowDown: boolean,
): ReplyRequest {
  const { smtpCode: code, enhancedCode: enhanced, response, verdict } = result
  const rule = code === null ? null : findReplyRule(replies, { stage, code, enhanced, text: response ?? '' })
  const isSlower = slowDown && verdict.category !== 'greylisted'
  const action = rule?.action ?? (isSlower ? 'slow_down' : null)
  if (action === null) return { kind: 'nothing' }
  const concernsOne = code !== 421 && (stage === 'rcpt' || stage === 'data' || stage === 'dot')
  const mostMs = concernsOne ? WAIT_FROM_ONE_MS_MAX : Number.POSITIVE_INFINITY
  const askedMs = verdict.retryAfterMs === null ? null : Math.min(verdict.retryAfterMs, mostMs)
  if (action === 'slow_down' && askedMs === null) return { kind: 'less' }
  return {
    kind: 'pause',
    state: action === 'stop' ? 'stopped' : 'paused',
    ms: rule?.forMs ?? (action === 'stop' ? STOP_MS : (askedMs ?? PAUSE_MS)),
    category: verdict.category,
    reason: pauseReasonOf(result),
  }
}

/**
 * Returns why a site is paused, in the server's words. All mail that waits for the site shows this text, including mail
 * of other teams, so addresses are removed.
 */
export function pauseReasonOf({ response, verdict }: DeliveryResult): string {
  return hideAddresses(response ?? explainCategory(verdict.category))
}

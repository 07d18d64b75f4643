import { hideAddresses } from '../../lib/text/foreign-text.ts'
import type { DeliveryResult } from '../../queue/types.ts'
import { findReplyRule, type Shaping } from './shaping.ts'
import type { Pause } from './site-throttle.ts'

/** Where a reply rule pauses without saying for how long, and the reply does not either. */
const PAUSE_MS = 5 * 60_000
/**
 * A time that a reply names in answer to one recipient or message, whose words they may be, is honoured for that one; for
 * the mail of everybody else to the site no longer than this.
 */
const ASKED_OF_ONE_MS_MAX = 60 * 60_000
/** A stop lasts until an operator resumes the site, or so long. */
const STOP_MS = 24 * 3_600_000

/** What an answer asks of us: nothing, less at a time, or nothing more for a while. */
export type Asked =
  | { kind: 'nothing' }
  | { kind: 'less' }
  | { kind: 'pause'; state: Pause['state']; ms: number; category: string; reason: string }

/**
 * The rules of the site are asked first, then what the reply says of itself: a server that asks for less (`slowDown`)
 * may name a time. Greylisting is about one recipient, and no word about how much we send.
 */
export function readAnswer(
  { replies }: Pick<Shaping, 'replies'>,
  result: DeliveryResult,
  stage: string,
  slowDown: boolean,
): Asked {
  const { smtpCode: code, enhancedCode: enhanced, response, verdict } = result
  const rule = code === null ? null : findReplyRule(replies, { stage, code, enhanced, text: response ?? '' })
  const isSlower = slowDown && verdict.category !== 'greylisted'
  const action = rule?.action ?? (isSlower ? 'slow_down' : null)
  if (action === null) return { kind: 'nothing' }
  const isOfOne = code !== 421 && (stage === 'rcpt' || stage === 'data' || stage === 'dot')
  const mostMs = isOfOne ? ASKED_OF_ONE_MS_MAX : Number.POSITIVE_INFINITY
  const askedMs = verdict.retryAfterMs === null ? null : Math.min(verdict.retryAfterMs, mostMs)
  if (action === 'slow_down' && askedMs === null) return { kind: 'less' }
  return {
    kind: 'pause',
    state: action === 'stop' ? 'stopped' : 'paused',
    ms: rule?.forMs ?? (action === 'stop' ? STOP_MS : (askedMs ?? PAUSE_MS)),
    category: verdict.category,
    reason: reasonOf(result),
  }
}

/**
 * Why a site is shut, in the words of whoever said so. All that waits for it is told so, of other teams too: an address in
 * it is nobody else's business.
 */
export function reasonOf({ response, verdict }: DeliveryResult): string {
  return hideAddresses(response ?? verdict.advice)
}

import type { Claim } from './claim.ts'
import type { NoticeText } from './notice-text.ts'
import type { OpenedNotice } from './open-notice.ts'
import { findQuotedReply } from './quoted-reply.ts'
import { stageOf } from './stage-of.ts'
import { findPassages } from './words.ts'

const CONTEXT_CHARS_MAX = 4000

/** Adds what the words of a notification say beyond its fields: which command was answered, and what the server wrote. */
export function enrichClaims(
  claims: readonly Claim[],
  _opened: OpenedNotice,
  { words }: NoticeText,
): Claim[] {
  const passages = new Map(
    findPassages(words, new Set()).map(({ address, text }) => [address.toLowerCase(), text]),
  )
  const isOne = claims.length === 1
  return claims.map((claim) => {
    const own = passages.get((claim.address ?? '').toLowerCase()) ?? ''
    const whole = isOne ? words.slice(0, CONTEXT_CHARS_MAX) : ''
    const reply = claim.said === '' ? (findQuotedReply(own) ?? findQuotedReply(whole)) : null
    return {
      ...claim,
      said: reply ?? claim.said,
      context: [...claim.context, own, whole].filter((text) => text.trim() !== ''),
      stage: stageOf(claim.said) ?? stageOf(own) ?? stageOf(whole),
    }
  })
}

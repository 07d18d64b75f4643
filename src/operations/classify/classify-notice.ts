import type { Verdict } from '../../queue/types.ts'
import { classifyReply } from './classify.ts'
import type { Stage } from './stages.ts'

/** What a notice says of one recipient, as far as it counts. */
export interface GivenNotice {
  /** The SMTP reply that it quotes, if any. */
  code: number | null
  enhanced: string | null
  /** The reply's text, or the notice's own words. */
  text: string
  /** `delayed` is not final; anything else that is judged is. */
  action: 'failed' | 'delayed'
  /** What of the conversation the reply answered, where that can be told. */
  stage: Stage
  mxHost: string
}

/**
 * What a notice means: the table of replies is asked first. A server that wrote a failure notice has given up, so the
 * verdict is final also where its last reply was temporary; nobody is suppressed on a temporary reply.
 */
export function classifyNotice(given: GivenNotice): Verdict {
  const { enhanced, text, action, stage, mxHost } = given
  const isTemporary = (given.code ?? (enhanced?.startsWith('4') ? 450 : 550)) < 500
  const code = action === 'delayed' ? 450 : (given.code ?? (isTemporary ? 450 : 550))
  const verdict = classifyReply({ code, enhanced, text }, stage, mxHost)
  if (action === 'delayed' || verdict.state !== 'deferred') return verdict
  return { ...verdict, state: 'bounced', suppress: false, retryAfterMs: null }
}

/** Permanent and the recipient's fault: the address is dead. What `suppress` says is narrower (decisions.md section 8). */
export function isHardBounce({ state, fault, category }: Verdict): boolean {
  return state === 'bounced' && fault === 'recipient' && category !== 'recipient_declines'
}

import { explainCategory } from '../../classification/advise.ts'
import type { DeliveryResult, DueDelivery } from '../../queue/types.ts'

/**
 * Returns a failed result for a delivery whose domain has no signing keys. Sendwright never sends unsigned email, so the
 * fault is ours (docs/adr/0010).
 */
export function failUnsigned(delivery: DueDelivery, now: Date): DeliveryResult {
  return {
    delivery,
    verdict: {
      state: 'failed',
      category: 'no_signing_key',
      fault: 'ours',
      suppress: false,
      retryAfterMs: null,
    },
    startedAt: now,
    durationMs: 0,
    smtpCode: null,
    enhancedCode: null,
    response: explainCategory('no_signing_key'),
    mxHost: null,
    mxAddress: null,
    tls: null,
    transcript: [{ at: 0, who: '*', text: 'The domain has no signing keys.' }],
  }
}

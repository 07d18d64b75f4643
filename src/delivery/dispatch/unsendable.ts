import type { DeliveryResult, DueDelivery } from '../../queue/types.ts'

/** Fails an email whose domain has no signing keys, as an internal fault: nothing is sent unsigned (docs/adr/0010). */
export function failUnsigned(delivery: DueDelivery, now: Date): DeliveryResult {
  const advice =
    'The sending domain has no signing keys any more, and nothing is sent unsigned. Add and verify the domain again, then send a new email.'
  return {
    delivery,
    verdict: {
      state: 'failed',
      category: 'no_signing_key',
      fault: 'ours',
      advice,
      suppress: false,
      retryAfterMs: null,
    },
    startedAt: now,
    durationMs: 0,
    smtpCode: null,
    enhancedCode: null,
    response: advice,
    mxHost: null,
    mxAddress: null,
    tls: null,
    conversation: [{ at: 0, who: '*', text: 'Looked for the signing keys of the domain: there are none.' }],
  }
}

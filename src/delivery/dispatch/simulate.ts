import type { SimulatedOutcome } from '../../classification/simulator.ts'
import type { DeliveryResult, DueDelivery, Verdict } from '../../queue/types.ts'

interface Simulation {
  verdict: Omit<Verdict, 'suppress' | 'retryAfterMs'>
  code: number
  enhanced: string
  text: string
}

const NO_SUCH_ADDRESS: Simulation = {
  verdict: {
    state: 'bounced',
    category: 'no_such_address',
    fault: 'recipient',
    advice: 'The simulator refuses this address as a server does that does not know it.',
  },
  code: 550,
  enhanced: '5.1.1',
  text: 'No such user (simulated)',
}

const DELIVERED: Simulation = {
  verdict: {
    state: 'delivered',
    category: 'accepted',
    fault: null,
    advice: 'The simulator took the message.',
  },
  code: 250,
  enhanced: '2.0.0',
  text: 'OK (simulated)',
}

/** The reply of each simulator address (DEL-11). Nothing is sent, and nothing is suppressed. */
const SIMULATIONS: Readonly<Record<SimulatedOutcome, Simulation>> = {
  delivered: DELIVERED,
  complained: DELIVERED,
  bounced: NO_SUCH_ADDRESS,
  // Suppressed recipients never get here; if one does, the reply is an unknown address.
  suppressed: NO_SUCH_ADDRESS,
  'soft-bounced': {
    verdict: {
      state: 'failed',
      category: 'mailbox_full',
      fault: 'recipient',
      advice: 'The simulator refuses this address as a full mailbox does once the email has expired.',
    },
    code: 452,
    enhanced: '4.2.2',
    text: 'Mailbox full (simulated)',
  },
  deferred: {
    verdict: {
      state: 'deferred',
      category: 'try_later',
      fault: 'policy',
      advice: 'The simulator asks to try again later, every time.',
    },
    code: 451,
    enhanced: '4.3.0',
    text: 'Try again later (simulated)',
  },
}

export function simulate(delivery: DueDelivery, outcome: SimulatedOutcome, now: Date): DeliveryResult {
  const { verdict, code, enhanced, text } = SIMULATIONS[outcome]
  return {
    delivery,
    verdict: { ...verdict, suppress: false, retryAfterMs: null },
    startedAt: now,
    durationMs: 0,
    smtpCode: code,
    enhancedCode: enhanced,
    response: text,
    mxHost: 'simulator',
    mxAddress: null,
    tls: null,
    conversation: [{ at: 0, who: '*', text: 'Simulated: nothing was sent.' }],
  }
}

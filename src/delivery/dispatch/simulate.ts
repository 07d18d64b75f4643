import { SIMULATOR_HOST, type SimulatedOutcome } from '../../classification/simulator.ts'
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
  // Acceptance does not queue suppressed recipients. If one is queued anyway, it bounces like an unknown address.
  suppressed: NO_SUCH_ADDRESS,
  'soft-bounced': {
    verdict: {
      state: 'failed',
      category: 'mailbox_full',
      fault: 'recipient',
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
    mxHost: SIMULATOR_HOST,
    mxAddress: null,
    tls: null,
    transcript: [{ at: 0, who: '*', text: 'Simulated: nothing was sent.' }],
  }
}

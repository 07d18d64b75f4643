/** What an address at the simulator's domain is named for (DEL-11). */
export type SimulatedOutcome =
  | 'delivered'
  | 'bounced'
  | 'soft-bounced'
  | 'deferred'
  | 'complained'
  | 'suppressed'

export const SIMULATOR_DOMAIN = 'simulator.test'

const OUTCOMES: ReadonlySet<string> = new Set([
  'delivered',
  'bounced',
  'soft-bounced',
  'deferred',
  'complained',
  'suppressed',
])

/**
 * The outcome an address simulates, in every mode and outside every quota; null for all other addresses. A label may
 * follow a plus sign: `bounced+signup@simulator.test`. An unknown name there bounces like any unknown mailbox.
 * @param addressKey suppressionKey of the address
 */
export function simulatedOutcome(addressKey: string): SimulatedOutcome | null {
  const at = addressKey.lastIndexOf('@')
  if (addressKey.slice(at + 1) !== SIMULATOR_DOMAIN) return null
  const name = addressKey.slice(0, at).split('+')[0] as string
  return OUTCOMES.has(name) ? (name as SimulatedOutcome) : 'bounced'
}

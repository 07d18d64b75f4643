/** The outcome that an address at the simulator's domain requests (DEL-11). */
export type SimulatedOutcome =
  | 'delivered'
  | 'bounced'
  | 'soft-bounced'
  | 'deferred'
  | 'complained'
  | 'suppressed'

export const SIMULATOR_DOMAIN = 'simulator.test'
/** Stands for a mail host in results of the simulator. */
export const SIMULATOR_HOST = 'simulator'

const OUTCOMES: ReadonlySet<string> = new Set([
  'delivered',
  'bounced',
  'soft-bounced',
  'deferred',
  'complained',
  'suppressed',
])

/**
 * Returns the outcome that an address simulates, in every mode and outside every quota, or null for any other address. A
 * label may follow a plus sign: `bounced+signup@simulator.test`. An unknown name there bounces like any unknown mailbox.
 * @param addressKey suppressionKey of the address
 */
export function simulatedOutcome(addressKey: string): SimulatedOutcome | null {
  const at = addressKey.lastIndexOf('@')
  if (addressKey.slice(at + 1) !== SIMULATOR_DOMAIN) return null
  const name = addressKey.slice(0, at).split('+')[0] as string
  return OUTCOMES.has(name) ? (name as SimulatedOutcome) : 'bounced'
}

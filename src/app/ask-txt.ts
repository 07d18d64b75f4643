import type { TxtAnswer } from '../delivery/tls/sts-policies.ts'
import { query } from '../lib/dns/dns-wire.ts'

const TXT_TIMEOUT_MS = 3000

/**
 * Looks up TXT records of policies and report addresses, without a cache: callers cache what they derive from them,
 * with the TTL.
 */
export async function lookUpTxt(name: string, servers: readonly string[]): Promise<TxtAnswer> {
  const answer = await query(name, 'TXT', { servers, timeoutMs: TXT_TIMEOUT_MS, roundsMax: 1 })
  if (answer.kind === 'temporary') return answer
  return answer.kind === 'records' ? answer : { kind: 'none', ttlSeconds: answer.ttlSeconds }
}

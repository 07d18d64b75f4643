import type { TxtAnswer } from '../delivery/tls/sts-policies.ts'
import { query } from '../lib/dns/dns-wire.ts'

const TXT_TIMEOUT_MS = 3000

/** Asks for the TXT records that announce policies and take reports. They are kept where they are used, with their TTL. */
export async function askTxt(name: string, servers: readonly string[]): Promise<TxtAnswer> {
  const answer = await query(name, 'TXT', { servers, timeoutMs: TXT_TIMEOUT_MS, roundsMax: 1 })
  if (answer.kind === 'temporary') return answer
  return answer.kind === 'records' ? answer : { kind: 'none', ttlSeconds: answer.ttlSeconds }
}

import { type Agent, request } from 'undici'
import type { Guard } from '../../lib/net/egress-guard.ts'
import { createGuardedAgent } from '../../lib/net/guarded-agent.ts'
import type { FailureType } from '../client/tls-result-types.ts'
import { parseStsPolicy, type StsPolicy } from './sts-syntax.ts'

export type StsFetchFailure = Extract<FailureType, `sts-${string}`>

/** Fetches a domain's policy from its policy host, or returns why there is none. */
export type FetchStsPolicy = (
  domain: string,
  signal: AbortSignal,
) => Promise<{ policy: StsPolicy } | { failure: StsFetchFailure; reason: string }>

/** RFC 8461 section 3.3 recommends a limit; real policies have a few hundred bytes. */
const BYTES_MAX = 64 * 1024
const TIMEOUT_MS = 10_000
/** Errors of OpenSSL and Node.js for untrusted certificates. */
const CERTIFICATE_ERROR = /CERT|SELF_SIGNED|UNABLE_TO_(?:GET|VERIFY)|CRL|HOSTNAME_MISMATCH/

class NotAPolicy extends Error {}

/**
 * Creates a policy fetcher (RFC 8461 section 3.3): a certificate valid for the policy host, status 200, no redirects,
 * text/plain, at most 64 KB. `port` is 443 except in tests.
 */
export function createStsFetcher(options: {
  guard: Guard
  port: number
  addressesOf(host: string): Promise<readonly string[]>
}): { fetchPolicy: FetchStsPolicy; close(): Promise<void> } {
  const { guard, port, addressesOf } = options
  const agent = createGuardedAgent({ guard, timeoutMs: TIMEOUT_MS, addressesOf })
  return {
    async fetchPolicy(domain, signal) {
      try {
        const policy = parseStsPolicy(await download(agent, domain, port, signal))
        return policy === null
          ? { failure: 'sts-policy-invalid', reason: 'the policy does not keep to its grammar' }
          : { policy }
      } catch (error) {
        return failureOf(error as NodeJS.ErrnoException)
      }
    },
    close: () => agent.destroy(),
  }
}

async function download(agent: Agent, domain: string, port: number, signal: AbortSignal): Promise<string> {
  const url = new URL(`https://mta-sts.${domain}/.well-known/mta-sts.txt`)
  if (port !== 443) url.port = String(port)
  const answer = await request(url, {
    dispatcher: agent,
    signal,
    headers: { 'user-agent': 'Sendwright', 'accept-encoding': 'identity', accept: 'text/plain' },
  })
  const type = answer.headers['content-type']
  const isText = typeof type === 'string' && /^text\/plain[ \t]*(?:;|$)/i.test(type)
  if (answer.statusCode !== 200 || !isText) {
    answer.body.on('error', () => {}).destroy()
    throw answer.statusCode === 200
      ? new NotAPolicy('the policy is not text/plain')
      : new Error(`the policy host answered ${answer.statusCode}`)
  }
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of answer.body) {
    bytes += (part as Buffer).length
    if (bytes > BYTES_MAX) throw new NotAPolicy(`the policy is larger than ${BYTES_MAX} bytes`)
    parts.push(part as Buffer)
  }
  return Buffer.concat(parts).toString('utf8')
}

function failureOf(error: NodeJS.ErrnoException): { failure: StsFetchFailure; reason: string } {
  if (error instanceof NotAPolicy) return { failure: 'sts-policy-invalid', reason: error.message }
  const code = error.code ?? (error.cause as NodeJS.ErrnoException | undefined)?.code ?? ''
  if (CERTIFICATE_ERROR.test(code)) {
    return {
      failure: 'sts-webpki-invalid',
      reason: `the certificate of the policy host is not valid (${code})`,
    }
  }
  if (error.message.startsWith('the policy host answered')) {
    return { failure: 'sts-policy-fetch-error', reason: error.message }
  }
  return { failure: 'sts-policy-fetch-error', reason: 'the policy host could not be reached' }
}

import type { Config } from '../config/config.ts'
import type { Network } from '../config/networks.ts'
import { refuseBusySmtpPort } from '../lib/net/listen-or-explain.ts'

export const HTTPS_PORT = 'SENDWRIGHT_HTTPS_PORT'
export const INBOUND_PORT = 'SENDWRIGHT_INBOUND_PORT'
export const SUBMISSION_PORT = 'SENDWRIGHT_SUBMISSION_PORT'
export const SUBMISSIONS_PORT = 'SENDWRIGHT_SUBMISSIONS_PORT'

/** Returns the proxies that begin SMTP connections with a PROXY header. */
export function proxiesOf({ proxyProtocol, trustedProxies }: Config): readonly Network[] {
  return proxyProtocol ? trustedProxies : []
}

/** Throws CannotStart when a configured submission port is in use. */
export async function refuseBusySubmission({
  smtpHost,
  submissionPort,
  submissionsPort,
}: Config): Promise<void> {
  await refuseBusySmtpPort(smtpHost, submissionPort, SUBMISSION_PORT)
  await refuseBusySmtpPort(smtpHost, submissionsPort, SUBMISSIONS_PORT)
}

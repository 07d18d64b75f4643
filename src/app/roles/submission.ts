import type { ListenPort } from '../../config/values.ts'
import { createLoginThrottle } from '../../inbound/submission/login-throttle.ts'
import { openSubmission, type SubmissionDeps } from '../../inbound/submission/submission.ts'
import { listenIfFree } from '../../lib/net/listen-or-explain.ts'
import { createMessageRoom } from '../../smtp/server/message-room.ts'
import { startSmtpListener } from '../../smtp/server/smtp-listener.ts'
import { type ContextSource, SMTP_LIMITS } from '../../smtp/server/smtp-types.ts'
import type { Acceptance } from '../acceptance.ts'
import type { Access } from '../access.ts'
import type { StopGroup } from '../lifecycle.ts'
import { proxiesOf, SUBMISSION_PORT, SUBMISSIONS_PORT } from '../ports.ts'
import type { Runtime } from '../runtime.ts'
import type { Ports } from '../types.ts'

interface Parts {
  acceptance: Acceptance
  access: Access
  tls: ContextSource
  listeners: StopGroup
}

/** The submission ports; null for a port that is disabled, or for a default port that is in use. */
type SubmissionPorts = Pick<Ports, 'submissionPort' | 'submissionsPort'>

export const NO_SUBMISSION: SubmissionPorts = { submissionPort: null, submissionsPort: null }

/**
 * Maximum number of errors in a session: all recipients of a message may be invalid, and the session continues with
 * the next.
 */
const ERRORS_MAX = 160

/**
 * Starts SMTP submission, part of the inbound role, with the same keys, rate limits and acceptance as the HTTP API.
 */
export async function startSubmission(runtime: Runtime, parts: Parts): Promise<SubmissionPorts> {
  const { config, clock, log } = runtime
  const { access, acceptance, tls, listeners } = parts
  const { authenticate, limiter } = access
  const { acceptSubmission } = acceptance
  const deps: SubmissionDeps = {
    authenticate,
    limiter,
    acceptSubmission,
    log,
    throttle: createLoginThrottle(clock),
  }

  const room = createMessageRoom(SMTP_LIMITS.allMessagesBytesMax, SMTP_LIMITS.roomTimeoutMs)

  async function open(listenPort: ListenPort | null, setting: string, isImplicitTls: boolean) {
    if (listenPort === null) return null
    let port: number | null = null
    const listen = async () => {
      const name = isImplicitTls ? 'submissions' : 'submission'
      const listener = await startSmtpListener({
        name,
        host: config.smtpHost,
        port: listenPort.port,
        hostname: config.hostname,
        tls,
        isImplicitTls,
        isAuthRequired: true,
        proxies: proxiesOf(config),
        room,
        limits: { errorsMax: ERRORS_MAX },
        log,
        open: (peer) => openSubmission(deps, peer),
      })
      listeners.add(`${name} listener`, () => listener.close())
      port = listener.port
    }
    await listenIfFree(listen, listenPort, setting, log)
    return port
  }

  return {
    submissionPort: await open(config.submissionPort, SUBMISSION_PORT, false),
    submissionsPort: await open(config.submissionsPort, SUBMISSIONS_PORT, true),
  }
}

import type { Authenticator, Caller } from '../../access/caller.ts'
import { requestsMax } from '../../access/plans.ts'
import type { RateLimiter } from '../../access/rate-limit.ts'
import type { AcceptSubmission } from '../../emails/accept/accept-submission.ts'
import { ApiError } from '../../lib/api-error.ts'
import type { Log } from '../../lib/log.ts'
import { type Mailbox, parseAddress, suppressionKey } from '../../mime/address.ts'
import {
  reply,
  type ServerReply,
  type SmtpHandlers,
  type SmtpPath,
  type SmtpPeer,
} from '../../smtp/server/smtp-types.ts'
import type { LoginThrottle } from './login-throttle.ts'
import { replyTo } from './submission-replies.ts'

export interface SubmissionDeps {
  authenticate: Authenticator['authenticate']
  limiter: RateLimiter
  acceptSubmission: AcceptSubmission
  throttle: LoginThrottle
  log: Log
}

const WELCOME = reply(235, '2.7.0', 'Authentication successful')
const NO_DATABASE = reply(454, '4.7.0', 'Temporary authentication failure')
const BAD_RECIPIENT = reply(501, '5.1.3', 'The recipient must be a valid email address.')
/** RFC 4954 section 6: any command except AUTH requires a login. */
const KEY_IS_GONE = reply(530, '5.7.0', 'Invalid API key.')

/**
 * Handles submission (RFC 6409): the login and messages of one connection. The password is an API key; the user name
 * is arbitrary. The key is verified again for every message, so that a revoked key stops working here as soon as
 * elsewhere.
 */
export function openSubmission(deps: SubmissionDeps, peer: SmtpPeer): SmtpHandlers {
  let token = ''
  let caller: Caller | null = null
  let recipients = new Map<string, Mailbox>()

  async function logIn(password: string): Promise<ServerReply> {
    const waitSeconds = deps.throttle.waitSeconds(peer.address, password)
    if (waitSeconds > 0) {
      return reply(454, '4.7.0', `Too many failed logins. Please retry after ${waitSeconds} seconds.`)
    }
    try {
      caller = await deps.authenticate(password)
      token = password
      deps.throttle.recordSuccess(password)
      return WELCOME
    } catch (error) {
      const refusal = replyOrThrow(error)
      if (refusal.code < 500) return NO_DATABASE
      deps.throttle.recordFailure(peer.address, password)
      deps.log.info({ address: peer.address }, 'a login for SMTP submission failed')
      return refusal
    }
  }

  /** Counts one message as one request, whatever its outcome (SMT-2). */
  async function admit(): Promise<ServerReply | null> {
    caller = await deps.authenticate(token)
    const { teamId, plan } = caller
    const { isAdmitted, resetSeconds } = await deps.limiter.admit(teamId, 'send', requestsMax(plan, 'send'))
    if (isAdmitted) return null
    const message = `Rate limit exceeded. Please retry after ${resetSeconds} seconds.`
    throw new ApiError('rate_limit_exceeded', message, { retryAfterSeconds: resetSeconds })
  }

  return {
    authenticate: (_user, password) => logIn(password),
    async onMail() {
      recipients = new Map()
      return admit().catch(refuse)
    },
    onRcpt: async (path) => addRecipient(recipients, path),
    async onMessage(_envelope, content) {
      try {
        // Hours may pass between MAIL and the final dot.
        const submitter = await deps.authenticate(token)
        const message = { recipients: [...recipients.values()], content }
        const id = await deps.acceptSubmission(message, submitter)
        return reply(250, '2.0.0', `accepted as ${id}`)
      } catch (error) {
        return refuse(error)
      }
    },
    owner: () => caller?.teamId ?? peer.address,
  }
}

/** Adds a recipient once. Returns the reply for an address that is invalid. */
function addRecipient(recipients: Map<string, Mailbox>, { address }: SmtpPath): ServerReply | null {
  const mailbox = parseAddress(address)
  if (mailbox === null) return BAD_RECIPIENT
  const key = suppressionKey(mailbox.address)
  if (!recipients.has(key)) recipients.set(key, mailbox)
  return null
}

/** Returns the reply for a failed command after the login. */
function refuse(error: unknown): ServerReply {
  const isKey = error instanceof ApiError && error.code === 'invalid_api_key'
  return isKey ? KEY_IS_GONE : replyOrThrow(error)
}

/** Throws unexpected errors again, for the caller to log. */
function replyOrThrow(error: unknown): ServerReply {
  const answer = replyTo(error)
  if (answer === null) throw error
  return answer
}

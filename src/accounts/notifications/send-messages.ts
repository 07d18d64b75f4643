import { createHash } from 'node:crypto'
import { findMember } from '../../access/memberships-queries.ts'
import type { Db } from '../../db/db-types.ts'
import type { AcceptMime } from '../../emails/accept/accept-mime.ts'
import { ApiError } from '../../lib/api-error.ts'
import type { Log } from '../../lib/log.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { Mailbox } from '../../mime/address.ts'
import { findTeam } from '../../teams/teams-queries.ts'
import { classifyOutcome } from '../../webhooks/request/classify-response.ts'
import type { Line } from '../../webhooks/request/post.ts'
import { signWebhook } from '../../webhooks/request/sign.ts'
import { findSenderOf, findSystemSender, writeSystemMail } from '../users/account-mail.ts'
import { openAlertSecret } from './alert-secret.ts'
import { type AlertChannel, findChannel } from './channels-queries.ts'
import { type AlertMessage, claimMessages, settleMessage } from './messages-queries.ts'
import { type MessageContext, writeAlertMail, writeAlertWebhook } from './write-messages.ts'

export interface SendDeps {
  db: Db
  clock: Clock
  log: Log
  nodeId: string
  acceptMime: AcceptMime
  publicUrl: string
  /** SENDWRIGHT_ACCOUNT_FROM. */
  from: Mailbox | null
  /** In capture mode, mail stays in the mailbox of the team that sends it, so each team sends its own. */
  isCapturing: boolean
  /** The installation's master key. */
  secret: Buffer
  openLine(url: string): Line
}

/** Longer than the time limit of a request, so that no other process sends the same message meanwhile. */
const LEASE_MS = 60_000
/** The waits after failed attempts; afterwards, the message failed. An accepted email is remembered for longer. */
const RETRIES_MS = [30_000, 2 * 60_000, 10 * 60_000, 30 * 60_000, 2 * 3_600_000, 6 * 3_600_000]

/** Null: it was sent. */
type Failure = { error: string; isFinal?: boolean; waitMs?: number } | null

/**
 * Sends up to `countMax` due messages, all at once. Returns their number. An email whose acceptance was committed is
 * not accepted again, by its idempotency key; a webhook has the same `webhook-id` in all attempts.
 */
export async function sendMessages(deps: SendDeps, countMax: number): Promise<number> {
  const { db, nodeId, clock } = deps
  const now = clock.now()
  const messages = await claimMessages(db, nodeId, now, new Date(now.getTime() + LEASE_MS), countMax)
  await Promise.all(messages.map((message) => sendMessage(deps, message)))
  return messages.length
}

async function sendMessage(deps: SendDeps, message: AlertMessage): Promise<void> {
  const { db, clock, log, nodeId } = deps
  const failure = await attempt(deps, message).catch((error: unknown): Failure => {
    log.warn({ err: error, message: message.id }, 'an alert message was not sent')
    return { error: 'An internal error: see the log of the service.' }
  })
  const now = clock.now()
  const result = { ...message, ...resultOf(message, failure, now) }
  await settleMessage(db, result, nodeId, now)
}

function resultOf({ attempts }: AlertMessage, failure: Failure, now: Date) {
  if (failure === null) return { status: 'sent' as const, dueAt: null, error: null }
  const { error, isFinal = false, waitMs = 0 } = failure
  const retryMs = RETRIES_MS[attempts - 1]
  if (isFinal || retryMs === undefined) return { status: 'failed' as const, dueAt: null, error }
  return { status: 'waiting' as const, dueAt: new Date(now.getTime() + Math.max(retryMs, waitMs)), error }
}

async function attempt(deps: SendDeps, message: AlertMessage): Promise<Failure> {
  const team = await findTeam(deps.db, message.teamId)
  const channel = await findChannel(deps.db, message.teamId, message.channelId)
  if (team === null || channel === null) return { error: 'The recipient was removed.', isFinal: true }
  if (!channel.isEnabled && message.reason !== 'test')
    return { error: 'Alerts were disabled.', isFinal: true }
  const context = { team: { id: team.id, name: team.name }, publicUrl: deps.publicUrl }
  return channel.type === 'email'
    ? sendMail(deps, message, context)
    : postWebhook(deps, message, channel, context)
}

async function sendMail(deps: SendDeps, message: AlertMessage, context: MessageContext): Promise<Failure> {
  const { db, acceptMime, from, isCapturing } = deps
  const { teamId, id, channelId, createdAt } = message
  const member = await findMember(db, teamId, channelId)
  if (member === null) return { error: 'The recipient left the team.', isFinal: true }
  const sender = isCapturing ? await findSenderOf(db, teamId) : await findSystemSender(db, from)
  if (sender === null) return { error: 'No verified domain can send it.' }
  const to = { email: member.email, name: member.name }
  const mail = writeAlertMail(message, context, { to, isOwnTeam: sender.teamId === teamId })
  const request = writeSystemMail(sender, mail, { id, date: createdAt })
  if (request === null) return { error: 'The address of the recipient is not valid.', isFinal: true }
  const idempotency = { key: `alert-message-${id}`, requestHash: createHash('sha256').update(id).digest() }
  try {
    const submitter = { teamId: sender.teamId, domainId: null, keyId: null }
    await acceptMime(request, submitter, idempotency, { isWithheld: !isCapturing })
    return null
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { error: `The email was not accepted: ${error.message}` }
  }
}

async function postWebhook(
  { clock, secret, openLine }: SendDeps,
  message: AlertMessage,
  { url, sealedSecret, teamId }: AlertChannel,
  context: MessageContext,
): Promise<Failure> {
  if (url === null || sealedSecret === null) return { error: 'The webhook was removed.', isFinal: true }
  const body = writeAlertWebhook(message, context)
  const now = clock.now()
  const line = openLine(url)
  try {
    const secrets = [openAlertSecret(secret, teamId, sealedSecret)]
    const verdict = classifyOutcome(await line.post(signWebhook(secrets, message.id, now, body), body), now)
    return verdict.isDelivered
      ? null
      : { error: verdict.error, isFinal: verdict.isGone, waitMs: verdict.retryAfterMs }
  } finally {
    line.close()
  }
}

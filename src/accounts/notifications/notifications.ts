import { lockMembership } from '../../access/memberships-queries.ts'
import type { Transactions, Tx } from '../../db/db-types.ts'
import { ApiError, invalidField, orNotFound } from '../../lib/api-error.ts'
import { newId } from '../../lib/ids.ts'
import type { Guard } from '../../lib/net/egress-guard.ts'
import type { AlertKind } from '../../metrics/alerts/alert.ts'
import { refuseWebhookUrl } from '../../webhooks/webhook-url.ts'
import type { Actor } from '../users/member-rights.ts'
import { DEFAULT_KINDS } from './alert-kinds.ts'
import { sealNewAlertSecret } from './alert-secret.ts'
import { type AlertChannel, lockChannel, saveChannel } from './channels-queries.ts'
import type { AlertMessageContent } from './compare-alerts.ts'
import { type AlertMessage, insertMessage } from './messages-queries.ts'
import { forgetAnnounced, holdWatch, upsertWatch } from './watches-queries.ts'

export interface EmailSettings {
  enabled?: boolean
  kinds?: readonly AlertKind[]
  everyMinutes?: number
}

/** The dependencies of checking a URL and sealing a secret. */
export interface AlertWebhookTools {
  guard: Guard
  allowPrivate: boolean
  /** The installation's master key. */
  secret: Buffer
}

export interface AlertWebhookSettings {
  url: string
  kinds?: readonly AlertKind[]
}

const EVERY_MINUTES = 15
/** The webhook usually leads to a channel for machines and several people, who want to know at once. */
const WEBHOOK_EVERY_MINUTES = 1
const TEST_EVERY_MS = 60_000

/** Changes a member's own settings. Throws ApiError (404) if the person is no longer a member. */
export async function changeEmailSettings(
  db: Transactions,
  actor: Actor,
  changes: EmailSettings,
  now: Date,
): Promise<AlertChannel> {
  return db.transaction(async (tx) => {
    const before = await holdEmailChannel(tx, actor, now)
    const isEnabled = changes.enabled ?? before.isEnabled
    const after: AlertChannel = {
      ...before,
      isEnabled,
      kinds: [...(changes.kinds ?? before.kinds)],
      everyMinutes: changes.everyMinutes ?? before.everyMinutes,
      // The next message after a pause is a summary.
      startedAt: isEnabled ? before.startedAt : null,
      updatedAt: now,
    }
    if (!isEnabled) await forgetAnnounced(tx, actor.teamId, actor.userId)
    await saveChannel(tx, after)
    return after
  })
}

/** Returns the settings of a member who never changed them. */
export function newEmailChannel({ teamId, userId }: Actor, now: Date): AlertChannel {
  return newChannel({ teamId, id: userId, type: 'email', isEnabled: false, everyMinutes: EVERY_MINUTES }, now)
}

/** Sets the team's webhook. A new URL gets a summary first. Throws ApiError (422) for its URL. */
export async function setAlertWebhook(
  db: Transactions,
  tools: AlertWebhookTools,
  teamId: string,
  { url, kinds }: AlertWebhookSettings,
  now: Date,
): Promise<AlertChannel> {
  const reason = refuseWebhookUrl(url, tools.guard, tools.allowPrivate)
  if (reason !== null) throw invalidField('url', `The url field ${reason}.`)
  return db.transaction(async (tx) => {
    await upsertWatch(tx, { teamId, nextAt: now })
    const before = await lockChannel(tx, teamId, teamId)
    const isNew = before?.url !== url
    if (isNew) await forgetAnnounced(tx, teamId, teamId)
    const after: AlertChannel = {
      ...(before ??
        newChannel(
          { teamId, id: teamId, type: 'webhook', isEnabled: true, everyMinutes: WEBHOOK_EVERY_MINUTES },
          now,
        )),
      url,
      kinds: [...(kinds ?? before?.kinds ?? DEFAULT_KINDS)],
      sealedSecret: before?.sealedSecret ?? sealNewAlertSecret(tools.secret, teamId),
      startedAt: isNew ? null : (before?.startedAt ?? null),
      updatedAt: now,
    }
    await saveChannel(tx, after)
    return after
  })
}

/** Sends a test email to the actor. Throws ApiError: 404, and 409 within a minute of the last one. */
export async function testEmail(db: Transactions, actor: Actor, now: Date): Promise<AlertMessage> {
  return db.transaction(async (tx) => writeTest(tx, await holdEmailChannel(tx, actor, now), now))
}

/** Sends a test to the team's webhook. Throws ApiError: 404, and 409 within a minute of the last one. */
export async function testAlertWebhook(db: Transactions, teamId: string, now: Date): Promise<AlertMessage> {
  return db.transaction(async (tx) => {
    await holdWatch(tx, teamId)
    return writeTest(tx, orNotFound(await lockChannel(tx, teamId, teamId)), now)
  })
}

const TEST: AlertMessageContent = {
  items: [
    {
      state: 'open',
      kind: 'webhook_failing',
      severity: 'info',
      name: 'https://example.com/hooks',
      message: 'This is a test. Alerts look like this; nothing is wrong.',
      since: null,
    },
  ],
  more: 0,
}

async function writeTest(tx: Tx, channel: AlertChannel, now: Date): Promise<AlertMessage> {
  const { teamId, id: channelId, testedAt } = channel
  if (testedAt !== null && now.getTime() - testedAt.getTime() < TEST_EVERY_MS)
    throw new ApiError('conflict', 'A test was sent less than a minute ago.')
  await saveChannel(tx, { ...channel, testedAt: now })
  const id = newId(now.getTime())
  return insertMessage(tx, { teamId, id, channelId, reason: 'test', content: TEST, createdAt: now })
}

/** Locks a member's settings. The watch is locked first, as where messages are written. */
async function holdEmailChannel(tx: Tx, actor: Actor, now: Date): Promise<AlertChannel> {
  orNotFound(await lockMembership(tx, actor.teamId, actor.userId))
  await upsertWatch(tx, { teamId: actor.teamId, nextAt: now })
  return (await lockChannel(tx, actor.teamId, actor.userId)) ?? newEmailChannel(actor, now)
}

function newChannel(
  channel: Pick<AlertChannel, 'teamId' | 'id' | 'type' | 'isEnabled' | 'everyMinutes'>,
  now: Date,
): AlertChannel {
  return {
    ...channel,
    kinds: [...DEFAULT_KINDS],
    url: null,
    sealedSecret: null,
    startedAt: null,
    lastMessageAt: null,
    testedAt: null,
    createdAt: now,
    updatedAt: now,
  }
}

import Type from 'typebox'
import { Text, TextOrNull, Timestamp, Uuid } from '../../http/route/schemas.ts'
import { formatTime } from '../../lib/time/format-time.ts'
import { ATTENTION_KINDS } from '../../metrics/alerts/alert.ts'
import { formatWebhookSecret } from '../../webhooks/request/secrets.ts'
import { openAlertSecret } from './alert-secret.ts'
import type { AlertChannel } from './channels-queries.ts'
import type { AlertMessage } from './messages-queries.ts'

const AT = '2026-01-15 09:30:00'
const URL_EXAMPLE = 'https://hooks.slack.com/services/T000/B000/XXXX'

const Kinds = Type.Array(Type.Enum([...ATTENTION_KINDS]), {
  title: 'AlertKinds',
  maxItems: ATTENTION_KINDS.length,
  description: 'Kinds of alerts, as in `GET /attention`.',
})
const EveryMinutes = Type.Integer({
  minimum: 1,
  maximum: 1440,
  description: 'The minimum time between two emails, in minutes.',
})

export const AlertMessageAnswer = Type.Object(
  {
    object: Type.Literal('alert_message'),
    id: Uuid,
    channel: Type.Enum(['email', 'webhook']),
    reason: Type.Enum(['summary', 'change', 'test'], {
      description: '`summary`: the alerts that were open when alerts were turned on.',
    }),
    alert_count: Type.Integer({ description: 'Number of alerts in it.' }),
    status: Type.Enum(['waiting', 'sent', 'failed']),
    error: TextOrNull('Why the last attempt failed.'),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  {
    title: 'AlertMessage',
    examples: [
      {
        object: 'alert_message',
        id: '0198c0de-0000-7000-8000-0000000000d1',
        channel: 'email',
        reason: 'change',
        alert_count: 2,
        status: 'sent',
        error: null,
        created_at: AT,
        updated_at: AT,
      },
    ],
  },
)

const AlertWebhook = Type.Object(
  {
    url: Text('URL that receives the alerts.'),
    kinds: Kinds,
    signing_secret: Text('Signing key: `whsec_` and base64.'),
  },
  { title: 'AlertWebhook' },
)

const EMAIL_EXAMPLE = { enabled: true, kinds: ['domain_failing', 'webhook_failing'], every_minutes: 15 }
const WEBHOOK_EXAMPLE = {
  url: URL_EXAMPLE,
  kinds: ['domain_failing'],
  signing_secret: 'whsec_c2VjcmV0LW9mLXRoZS1zaG9wLW5vdC1hLXJlYWwtb25lIQ==',
}

export const NotificationsAnswer = Type.Object(
  {
    object: Type.Literal('notifications'),
    email: Type.Object({
      enabled: Type.Boolean({ description: 'Whether you get alerts by email.' }),
      kinds: Kinds,
      every_minutes: EveryMinutes,
    }),
    webhook: Type.Union([AlertWebhook, Type.Null()], {
      description: 'The webhook of the team. Null: there is none, or your role cannot change it.',
    }),
    recent: Type.Array(AlertMessageAnswer, {
      description: 'The newest messages to you and, if your role can change it, to the webhook.',
    }),
  },
  {
    title: 'Notifications',
    examples: [{ object: 'notifications', email: EMAIL_EXAMPLE, webhook: WEBHOOK_EXAMPLE, recent: [] }],
  },
)

export const NotificationsChange = Type.Object(
  {
    enabled: Type.Optional(Type.Boolean({ description: 'Whether you get alerts by email.' })),
    kinds: Type.Optional(Kinds),
    every_minutes: Type.Optional(EveryMinutes),
  },
  { examples: [EMAIL_EXAMPLE] },
)

export const AlertWebhookInput = Type.Object(
  {
    url: Type.String({
      minLength: 1,
      maxLength: 2000,
      description: 'An https URL, for example of an incoming webhook of Slack.',
    }),
    kinds: Type.Optional(Kinds),
  },
  { examples: [{ url: URL_EXAMPLE }] },
)

export const NotificationTest = Type.Object(
  { channel: Type.Enum(['email', 'webhook'], { description: '`webhook` needs the role admin.' }) },
  { examples: [{ channel: 'email' }] },
)

export function notificationsToJson(
  email: AlertChannel,
  webhook: AlertChannel | null,
  recent: readonly AlertMessage[],
  secret: Buffer,
) {
  return {
    object: 'notifications',
    email: { enabled: email.isEnabled, kinds: email.kinds, every_minutes: email.everyMinutes },
    webhook: webhook === null ? null : alertWebhookToJson(webhook, secret),
    recent: recent.map((message) => alertMessageToJson(message)),
  }
}

function alertWebhookToJson({ teamId, url, kinds, sealedSecret }: AlertChannel, secret: Buffer) {
  const signingSecret = openAlertSecret(secret, teamId, sealedSecret ?? Buffer.alloc(0))
  return { url, kinds, signing_secret: formatWebhookSecret(signingSecret) }
}

/** The webhook's channel has the id of the team. */
export function alertMessageToJson(message: AlertMessage) {
  const { teamId, channelId, content } = message
  return {
    object: 'alert_message',
    id: message.id,
    channel: channelId === teamId ? 'webhook' : 'email',
    reason: message.reason,
    alert_count: content.items.length + content.more,
    status: message.status,
    error: message.error,
    created_at: formatTime(message.createdAt),
    updated_at: formatTime(message.updatedAt),
  }
}

import type { Caller } from '../../access/caller.ts'
import { mayChange } from '../../access/permissions.ts'
import { deletedToJson } from '../../http/route/present.ts'
import type { ResourceDeps } from '../../http/route/resource.ts'
import { type Route, routesOf } from '../../http/route/route.ts'
import { Deleted } from '../../http/route/schemas.ts'
import { ApiError } from '../../lib/api-error.ts'
import type { Guard } from '../../lib/net/egress-guard.ts'
import { omitUndefined } from '../../lib/omit-undefined.ts'
import { findChannel } from './channels-queries.ts'
import { listMessages } from './messages-queries.ts'
import {
  changeEmailSettings,
  newEmailChannel,
  setAlertWebhook,
  testAlertWebhook,
  testEmail,
} from './notifications.ts'
import {
  AlertMessageAnswer,
  AlertWebhookInput,
  alertMessageToJson,
  NotificationsAnswer,
  NotificationsChange,
  NotificationTest,
  notificationsToJson,
} from './notifications-schemas.ts'
import { removeChannel } from './remove-channel.ts'

interface Deps extends Pick<ResourceDeps, 'config' | 'db' | 'clock'> {
  secret: Buffer
  guard: Guard
}

const { sessionRoute } = routesOf<Deps>()

const common = { area: 'team', permission: 'member' } as const
const all = { description: 'The settings.', schema: NotificationsAnswer }
const RECENT_MAX = 10

/** Returns all that the caller may see: own settings, and the webhook with its secret for those who may change it. */
async function readAll({ db, clock, secret }: Deps, caller: Caller, userId: string) {
  const { teamId } = caller
  const email = (await findChannel(db, teamId, userId)) ?? newEmailChannel({ teamId, userId }, clock.now())
  const seesWebhook = mayChange(caller, common.area)
  const webhook = seesWebhook ? await findChannel(db, teamId, teamId) : null
  const recent = await listMessages(db, teamId, seesWebhook ? [userId, teamId] : [userId], RECENT_MAX)
  return { status: 200, json: notificationsToJson(email, webhook, recent, secret) }
}

const getNotifications = sessionRoute('GET', '/team/notifications', {
  ...common,
  operationId: 'getNotifications',
  summary: 'Get your alert settings',
  description: 'Which alerts of the team you get by email, the webhook of the team, and the newest messages.',
  responses: { 200: all },
  handle: ({ caller, session, deps }) => readAll(deps, caller, session.userId),
})

const patchNotifications = sessionRoute('PATCH', '/team/notifications', {
  ...common,
  role: 'viewer',
  operationId: 'updateNotifications',
  action: 'team.notifications.update',
  summary: 'Change your alert settings',
  description:
    'Only your own. Once enabled, a summary of the open alerts is sent, and then one message when alerts begin or end.',
  body: NotificationsChange,
  responses: { 200: all },
  async handle({ caller, session, body, audited, deps }) {
    const { enabled, kinds, every_minutes: everyMinutes } = body
    const changes = omitUndefined({ enabled, kinds: kinds && [...new Set(kinds)], everyMinutes })
    const actor = { teamId: caller.teamId, userId: session.userId }
    await changeEmailSettings(audited, actor, changes, deps.clock.now())
    return readAll(deps, caller, session.userId)
  },
})

const postTest = sessionRoute('POST', '/team/notifications/test', {
  ...common,
  role: 'viewer',
  operationId: 'testNotification',
  action: 'team.notifications.test',
  summary: 'Send a test alert',
  description: 'To your own address or to the webhook of the team, at most once a minute.',
  body: NotificationTest,
  responses: { 202: { description: 'The message, which is sent soon.', schema: AlertMessageAnswer } },
  async handle({ caller, session, body, audited, deps: { clock } }) {
    const { teamId } = caller
    const now = clock.now()
    if (body.channel === 'email') {
      const message = await testEmail(audited, { teamId, userId: session.userId }, now)
      return { status: 202, json: alertMessageToJson(message) }
    }
    if (!mayChange(caller, common.area)) throw new ApiError('forbidden_role')
    return { status: 202, json: alertMessageToJson(await testAlertWebhook(audited, teamId, now)) }
  },
})

const putWebhook = sessionRoute('PUT', '/team/alert-webhook', {
  ...common,
  operationId: 'setAlertWebhook',
  action: 'team.alert-webhook.update',
  summary: 'Set the alert webhook',
  description:
    'One URL for the alerts of the team. The body has `text` for Slack and compatible services, and `alerts`; it is signed like other webhooks.',
  body: AlertWebhookInput,
  responses: { 200: all },
  async handle({ caller, session, body, audited, deps }) {
    const { guard, config, secret, clock } = deps
    const tools = { guard, allowPrivate: config.allowPrivateNetworks, secret }
    const { url, kinds } = body
    const settings = omitUndefined({ url, kinds: kinds && [...new Set(kinds)] })
    await setAlertWebhook(audited, tools, caller.teamId, settings, clock.now())
    return readAll(deps, caller, session.userId)
  },
})

const deleteWebhook = sessionRoute('DELETE', '/team/alert-webhook', {
  ...common,
  operationId: 'deleteAlertWebhook',
  action: 'team.alert-webhook.delete',
  summary: 'Delete the alert webhook',
  description: 'With its messages. The alerts of the team are no longer posted.',
  responses: { 200: { description: 'The webhook was deleted.', schema: Deleted } },
  async handle({ caller: { teamId }, audited }) {
    const isDeleted = await audited.transaction((tx) => removeChannel(tx, teamId, teamId))
    if (!isDeleted) throw new ApiError('not_found')
    return { status: 200, json: deletedToJson('alert_webhook', teamId) }
  },
})

export const notificationRoutes: readonly Route<Deps>[] = [
  getNotifications,
  patchNotifications,
  postTest,
  putWebhook,
  deleteWebhook,
]

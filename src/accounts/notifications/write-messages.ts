import { cutToBytes, escapeControls } from '../../lib/text/foreign-text.ts'
import { formatTime } from '../../lib/time/format-time.ts'
import { escapeHtml } from '../../templates/render-template.ts'
import { type AccountMail, buttonLink, htmlMail, shortNameOf, small } from '../users/mail-texts.ts'
import { ALERT_TITLES } from './alert-kinds.ts'
import type { MessageItem } from './compare-alerts.ts'
import type { AlertMessage } from './messages-queries.ts'

/** The team that a message concerns, and the dashboard's address. */
export interface MessageContext {
  team: { id: string; name: string }
  publicUrl: string
}

type Told = Pick<AlertMessage, 'reason' | 'content'>

/** Names are text of the team's own and of third parties. */
const NAME_BYTES_MAX = 200

/** Returns the email for one member. */
export function writeAlertMail(
  message: Told,
  { team, publicUrl }: MessageContext,
  {
    to,
    isOwnTeam,
  }: {
    to: AccountMail['to']
    /** Whether the team itself sends the mail. Otherwise its subject, which that team's members see, has no details. */
    isOwnTeam: boolean
  },
): Omit<AccountMail, 'link'> {
  const { items, more } = message.content
  const name = shortNameOf(team.name)
  const heading = headline(message)
  const [only] = items.length + more === 1 ? items : []
  const detail = only === undefined || message.reason !== 'change' ? heading : lineOf(only).title
  const after = [...moreLines(more), `You get this email because you turned on alerts for ${name}.`]
  const home = `${publicUrl}/app/${team.id}`
  const settings = `${home}/settings`
  const text = [
    `${heading}: ${name}`,
    ...items.map((item) => textOf(lineOf(item))),
    `Open the dashboard: ${home}`,
    ...after,
    `Change your alerts: ${settings}`,
  ].join('\n\n')
  const html = htmlMail(`${heading}: ${name}`, [
    ...items.map((item) => htmlOf(lineOf(item))),
    buttonLink('Open the dashboard', home),
    ...after.map(small),
    small(`Change your alerts: ${settings}`),
  ])
  return {
    to: { ...to, name: shortNameOf(to.name) },
    subject: `${name}: ${isOwnTeam ? detail : heading}`,
    text,
    html,
  }
}

/** Returns the body for the team's webhook. Slack and compatible services read `text` alone. */
export function writeAlertWebhook(
  message: Told & Pick<AlertMessage, 'id' | 'createdAt'>,
  { team, publicUrl }: MessageContext,
): string {
  const { items, more } = message.content
  const lines = [
    `*${escapeSlack(shortNameOf(team.name))}*: ${headline(message)}`,
    ...items.map((item) => escapeSlack(`• ${textOf(lineOf(item)).replaceAll('\n', ' ')}`)),
    ...moreLines(more),
    `<${publicUrl}/app/${team.id}|Open the dashboard>`,
  ]
  return JSON.stringify({
    text: lines.join('\n'),
    type: 'alerts.changed',
    id: message.id,
    reason: message.reason,
    created_at: formatTime(message.createdAt),
    team: { id: team.id, name: shortNameOf(team.name) },
    alerts: items.map(alertToJson),
    more,
  })
}

function alertToJson({ state, kind, severity, name, message, since }: MessageItem) {
  const at = since === null ? null : formatTime(new Date(since))
  return { state, kind, severity, title: ALERT_TITLES[kind], subject: name, message, since: at }
}

function headline({ reason, content: { items, more } }: Told): string {
  const total = items.length + more
  if (reason === 'test') return 'Test alert'
  if (more === 0 && items.every(({ state }) => state === 'ended'))
    return total === 1 ? '1 alert ended' : `${total} alerts ended`
  if (reason === 'summary') return total === 1 ? '1 alert needs attention' : `${total} alerts need attention`
  return total === 1 ? '1 new alert' : `${total} alert changes`
}

interface Line {
  title: string
  detail: string | null
  since: string | null
}

const STATES: Readonly<Record<MessageItem['state'], string>> = {
  begun: '',
  open: '',
  worse: 'Now critical: ',
  ended: 'Ended: ',
}

function lineOf({ state, kind, severity, name, message, since }: MessageItem): Line {
  const before = state === 'worse' && severity !== 'critical' ? 'Worse: ' : STATES[state]
  const subject = name === null ? '' : ` (${clean(name)})`
  return {
    title: `${before}${ALERT_TITLES[kind]}${subject}`,
    detail: message === null ? null : escapeControls(message),
    since:
      since === null ? null : `${state === 'ended' ? 'Ended' : 'Since'} ${formatTime(new Date(since))} UTC`,
  }
}

const clean = (text: string) => cutToBytes(escapeControls(text), NAME_BYTES_MAX)

function textOf({ title, detail, since }: Line): string {
  return [title, detail, since].filter((part) => part !== null).join('\n')
}

function htmlOf({ title, detail, since }: Line): string {
  const parts = [
    `<strong>${escapeHtml(title)}</strong>`,
    ...(detail === null ? [] : [escapeHtml(detail)]),
    ...(since === null ? [] : [`<span style="font-size:13px;opacity:.75">${since}</span>`]),
  ]
  return `<p style="margin:0 0 16px">${parts.join('<br>')}</p>`
}

function moreLines(more: number): string[] {
  return more === 0 ? [] : [`${more} more: see the dashboard.`]
}

/** Without this, a name could mention a channel or hide a link. https://docs.slack.dev/messaging/formatting-message-text */
function escapeSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

import { findMailProvider, type MailProviderName } from '../lib/dns/mail-providers.ts'
import { formatTime } from '../lib/time/format-time.ts'
import type { Verdict } from '../queue/types.ts'
import { SIMULATOR_HOST } from './simulator.ts'
import { CATEGORIES, type Category, type CategoryName } from './verdict-categories.ts'

/** Common names of providers; others are named by their host. */
const COMMON_NAMES: Partial<Record<MailProviderName, string>> = {
  google: 'Google',
  microsoft: 'Outlook.com',
  microsoft_365: 'Microsoft 365',
  yahoo: 'Yahoo',
  apple: 'iCloud',
  comcast: 'Comcast',
  gmx: 'GMX',
  telekom: 'T-Online',
  orange: 'Orange',
  yandex: 'Yandex',
  mail_ru: 'Mail.ru',
}
const GMAIL = new Set(['gmail.com', 'googlemail.com'])

/** Reasons of Sendwright itself, which no server gave. */
const OWN_REASONS: Readonly<Record<string, string>> = {
  suppressed: 'Nothing was sent because the address is on the suppression list.',
  shaped: 'Sendwright limits the sending rate to this receiver.',
  internal: 'An internal error in Sendwright interrupted the delivery.',
  restored:
    'The email has been on hold since a backup was restored. An operator can release it or mark it as failed.',
  no_signing_key:
    'The sending domain no longer has DKIM keys, and Sendwright does not send unsigned email. Add and verify the domain again, then send a new email.',
  try_later: 'The simulator defers every attempt.',
  operator: 'An operator has stopped delivery to this receiver for a while.',
}

/** The own reasons for which an email waits, perhaps for its whole lifetime. */
const WAITS: readonly unknown[] = ['shaped', 'operator']

/** Identifies the server that replied. */
export interface ReplyingServer {
  /** The recipient's domain; A-label, lower case. */
  domain: string
  /** The host that replied. Null if there is none or it is unknown. */
  mxHost: string | null
}

/** The facts about one recipient, or about one attempt. */
export interface AdviceInput extends ReplyingServer {
  /** The recipient's status. */
  status: string
  category: string | null
  attempts: number
  /** The time of the next attempt. Null if there is none or it is unknown. */
  nextAt: Date | null
}

/** The next step after a verdict. */
const NEXT_STEPS: Readonly<Record<Verdict['state'], string | null>> = {
  delivered: null,
  sent: null,
  deferred: 'Sendwright will retry.',
  bounced: 'Sendwright will not retry.',
  failed: 'Sendwright will not retry.',
  rejected: 'Sendwright will not retry.',
  suppressed: null,
}
const RELAY_NEXT = 'Sendwright will retry through a relay.'

/** Explains a verdict and the next step, for people. */
export function adviseVerdict(
  { category, state, next }: Pick<Verdict, 'category' | 'state' | 'next'>,
  server: ReplyingServer | null = null,
): string {
  return join(explainCategory(category, server), next === 'relay' ? RELAY_NEXT : NEXT_STEPS[state])
}

/** Explains a category, for people. Without `server`, the text says "the recipient's server". */
export function explainCategory(category: string, server: ReplyingServer | null = null): string {
  return findExplanation(category, server) ?? 'The email could not be delivered.'
}

/** Explains a recipient's status and what to do, for people. Returns null if nothing is known yet. */
export function adviseRecipient(recipient: AdviceInput): string | null {
  const { status, nextAt } = recipient
  const explanation = findExplanation(recipient.category, recipient)
  switch (status) {
    case 'scheduled':
      return nextAt === null ? null : `The email will be sent at ${formatTime(nextAt)} UTC.`
    case 'queued':
    case 'delivery_delayed':
      return explanation === null ? describeWait(recipient) : join(explanation, describeNextAttempt(nextAt))
    case 'delivered':
      return explanation ?? 'The server accepted the message.'
    case 'sent':
      return 'The relay accepted the message. Sendwright does not know whether the relay delivered it.'
    case 'suppressed':
      return 'Nothing was sent because the address is on the suppression list. If its owner wants your email, remove the address from the list.'
    case 'canceled':
      return 'The email was canceled before it was sent.'
    default:
      return join(explanation ?? 'The email could not be delivered.', adviseAfterFailure(recipient))
  }
}

/** Returns the result of one attempt, for people. `outcome`: deferred, delivered, bounced, ... */
export function adviseAttempt(
  attempt: ReplyingServer & { category: string | null; outcome: string },
): string | null {
  const explanation = findExplanation(attempt.category, attempt)
  if (explanation === null || attempt.outcome === 'delivered' || attempt.outcome === 'sent')
    return explanation
  const isTemporary = attempt.outcome === 'deferred'
  return join(explanation, isTemporary ? 'This is a temporary failure.' : 'This is a permanent failure.')
}

/** Returns null for a category that has no text. */
function findExplanation(category: string | null, server: ReplyingServer | null): string | null {
  if (category === null) return null
  if (Object.hasOwn(OWN_REASONS, category)) return OWN_REASONS[category] ?? null
  const advice = findCategory(category)?.advice
  if (advice === undefined) return null
  const name = server === null ? null : nameOf(server)
  const { atStart, inside } = name ?? { atStart: "The recipient's server", inside: "the recipient's server" }
  return advice.replaceAll('{Server}', () => atStart).replaceAll('{server}', () => inside)
}

function findCategory(name: string | null): Category | null {
  return name !== null && Object.hasOwn(CATEGORIES, name) ? CATEGORIES[name as CategoryName] : null
}

/** A name at the start of a sentence, and inside one. */
interface ServerName {
  atStart: string
  inside: string
}

/** Returns the common name of the replying host: a known provider, otherwise its host name. Null without a host. */
function nameOf({ domain, mxHost }: ReplyingServer): ServerName | null {
  if (mxHost === null) return null
  if (mxHost === SIMULATOR_HOST) return { atStart: 'The simulator', inside: 'the simulator' }
  const provider = findMailProvider('', mxHost.toLowerCase())
  const commonName = provider === null ? undefined : COMMON_NAMES[provider]
  const name = provider === 'google' && GMAIL.has(domain) ? 'Gmail' : commonName
  return name === undefined
    ? { atStart: `The server ${mxHost}`, inside: `the server ${mxHost}` }
    : { atStart: name, inside: name }
}

function describeWait({ attempts, nextAt }: AdviceInput): string | null {
  return attempts === 0 ? null : describeNextAttempt(nextAt)
}

function describeNextAttempt(at: Date | null): string | null {
  return at === null ? null : `The next attempt is at ${formatTime(at)} UTC.`
}

/** Returns the advice after a permanent failure. */
function adviseAfterFailure({ status, category }: AdviceInput): string {
  const rule = findCategory(category)
  if (status === 'bounced' && rule?.suppress === true) {
    return 'Sendwright will not retry. Remove the address from your lists.'
  }
  if (status === 'failed' && WAITS.includes(category))
    return 'The lifetime of the email was over before it was sent.'
  return rule !== null && status === 'failed' && rule.final === 'deferred'
    ? 'Sendwright retried until the lifetime of the email was over.'
    : 'Sendwright will not retry.'
}

const join = (one: string, other: string | null) => (other === null ? one : `${one} ${other}`)

import { findMailProvider, type MailProviderName } from '../lib/dns/mail-providers.ts'
import { formatTime } from '../lib/time/format-time.ts'
import { CATEGORIES, type Category } from './verdict-categories.ts'

/** Common names of providers; others are named by their host. */
const PEOPLE_CALL: Partial<Record<MailProviderName, string>> = {
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

/** Our own reasons, which no server gave. */
const OWN_REASONS: Readonly<Record<string, string>> = {
  suppressed: 'Nothing was sent: the address is on the suppression list.',
  shaped: 'It waits for its turn: we send to this receiver no faster than its limit allows.',
  internal: 'A fault of this server interrupted the delivery; it is none of yours.',
  restored: 'It is on hold since a backup was restored, until an operator releases it or gives it up.',
  no_signing_key: 'The domain that it was sent from has no keys to sign with any more.',
  try_later: 'The simulator asks to try again later, every time.',
  operator: 'An operator has stopped the delivery to these servers for a while.',
}

/** The facts about one recipient, or about one attempt. */
export interface AdviceInput {
  /** Of a recipient. */
  status: string
  category: string | null
  /** The recipient's domain; A-label, lower case. */
  domain: string
  /** The host that replied. */
  mxHost: string | null
  attempts: number
  /** The time of the next attempt; null: none, or unknown. */
  nextAt: Date | null
}

/** Returns what happened to a recipient and what to do, for people; null: nothing is known yet. */
export function adviseRecipient(told: AdviceInput): string | null {
  const { status, nextAt } = told
  const why = explain(told)
  switch (status) {
    case 'scheduled':
      return nextAt === null ? null : `It will be sent at ${formatTime(nextAt)} UTC.`
    case 'queued':
    case 'delivery_delayed':
      return why === null ? waiting(told) : join(why, nextAttempt(nextAt))
    case 'delivered':
      return why ?? 'The server took the message.'
    case 'sent':
      return 'The relay took the message and passes it on; what becomes of it there is not known here.'
    case 'suppressed':
      return 'Nothing was sent: the address is on the suppression list. Take it off the list if its owner wants your mail.'
    case 'canceled':
      return 'It was canceled before it was sent.'
    default:
      return join(why ?? 'It could not be delivered.', whatNow(told))
  }
}

/** Returns the result of one attempt, for people. `outcome`: deferred, delivered, bounced, ... */
export function adviseAttempt(
  told: Pick<AdviceInput, 'category' | 'domain' | 'mxHost'> & { outcome: string },
): string | null {
  const why = explain(told)
  if (why === null || told.outcome === 'delivered' || told.outcome === 'sent') return why
  return told.outcome === 'deferred' ? join(why, 'This try was not the last.') : join(why, 'That was final.')
}

/** Returns the sentence of the category, with the name of the replying host; null if there is none. */
function explain({
  category,
  domain,
  mxHost,
}: Pick<AdviceInput, 'category' | 'domain' | 'mxHost'>): string | null {
  if (category === null) return null
  const own = Object.hasOwn(OWN_REASONS, category) ? OWN_REASONS[category] : undefined
  if (own !== undefined) return own
  const known: Category | null = Object.hasOwn(CATEGORIES, category)
    ? CATEGORIES[category as keyof typeof CATEGORIES]
    : null
  if (known === null) return null
  const who = nameOf(domain, mxHost)
  if (who === null) return known.advice
  return known.advice
    .replace(/^(?:The recipient's|The mail|The) server(?= (?!named))/, who)
    .replaceAll("the recipient's server", who)
}

/** Returns the common name of the replying host: a known provider, otherwise its host name. */
function nameOf(domain: string, mxHost: string | null): string | null {
  if (mxHost === null) return null
  const provider = findMailProvider('', mxHost.toLowerCase())
  if (provider === 'google' && GMAIL.has(domain)) return 'Gmail'
  const name = provider === null ? undefined : PEOPLE_CALL[provider]
  return name ?? `The server ${mxHost}`
}

function waiting({ attempts, nextAt }: AdviceInput): string | null {
  return attempts === 0 ? null : nextAttempt(nextAt)
}

function nextAttempt(at: Date | null): string | null {
  return at === null ? null : `The next try is at ${formatTime(at)} UTC.`
}

/** What people can do about a final failure. */
function whatNow({ status, category }: AdviceInput): string {
  const known: Category | null =
    category !== null && Object.hasOwn(CATEGORIES, category)
      ? CATEGORIES[category as keyof typeof CATEGORIES]
      : null
  if (status === 'bounced' && known?.suppress === true) {
    return 'It will not be tried again: take the address off your lists.'
  }
  return known !== null && status === 'failed' && known.final === 'deferred'
    ? 'It was tried for as long as emails are kept trying, and given up.'
    : 'It will not be tried again.'
}

const join = (one: string, other: string | null) => (other === null ? one : `${one} ${other}`)

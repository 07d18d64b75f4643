import type { Verdict } from '../queue/types.ts'
import { findCategory, type GivenReply, verdictOf } from './classify.ts'
import { castsDoubt } from './doubt-words.ts'
import { NOTICE_RULES, OUTRANKING_RULES, STATUS_RULES } from './dsn-rules.ts'
import type { ReplyRule } from './reply-rule.ts'
import { PLAIN_RULES, REPLY_RULES } from './reply-rules.ts'
import { SENDER_RULES } from './sender-rules.ts'
import type { Stage } from './stages.ts'
import { CATEGORIES, type Category, type CategoryName } from './verdict-categories.ts'

/** The statement of a DSN about one recipient, as far as classification needs it. */
export interface DsnInput {
  /** `delayed` is not final; `failed` is. */
  action: 'failed' | 'delayed'
  /** The SMTP reply that it quotes, if any. */
  code: number | null
  enhanced: string | null
  /** The reply's text, or the DSN's own words. */
  text: string
  /** Further text, nearest first: used when `text` explains nothing. */
  context: readonly string[]
  /** The stage that the reply answered; null when the DSN does not tell. */
  stage: Stage | null
  mxHost: string
  /** The host that wrote the DSN. */
  reporter: string
}

/** Categories that explain nothing. */
const VAGUE: ReadonlySet<string> = new Set(['refused', 'temporary'] satisfies CategoryName[])

/**
 * Classifies a DSN: a quoted reply by the table of replies, then by the words that servers use in DSNs; other text in
 * the reverse order; last, by the registry of status codes. A failure DSN means that its author has given up, so the
 * verdict is final even if the last reply was temporary; a temporary reply, or ambiguous words, never suppress the
 * address.
 */
export function classifyDsn(dsn: DsnInput): Verdict {
  const code = dsn.code ?? (dsn.enhanced?.startsWith('4') || dsn.action === 'delayed' ? 450 : 550)
  const name = ofSender(explain(dsn, code), dsn.stage)
  if (dsn.action === 'delayed') return verdictOf(name, 'deferred')
  const verdict = settle(dsn, name, code)
  // Its own words tell of retries, but a quoted reply with another reason does not prove a dead address.
  return dsn.code !== null && castsDoubt(dsn.text) ? { ...verdict, suppress: false } : verdict
}

/** A reply to MAIL says nothing about a recipient. */
function ofSender(name: CategoryName, stage: Stage | null): CategoryName {
  const { fault }: Category = CATEGORIES[name]
  return stage === 'mail' && fault === 'recipient' ? 'sender_refused' : name
}

/** A server's reply is classified by the table of replies first, a DSN's own words last. */
const OF_REPLIES: readonly (readonly ReplyRule[])[] = [OUTRANKING_RULES, REPLY_RULES, NOTICE_RULES]
const OF_WORDS: readonly (readonly ReplyRule[])[] = [
  PLAIN_RULES,
  SENDER_RULES,
  OUTRANKING_RULES,
  NOTICE_RULES,
  REPLY_RULES.filter(({ isOfReply }) => isOfReply !== true),
]

/** Returns whether the words of a mail system alone explain the failure. */
export function explainsFailure(text: string): boolean {
  const reply: GivenReply = { code: 550, enhanced: null, text }
  return OF_WORDS.some((rules) => {
    const name = findCategory(rules, reply, 'rcpt', '')
    return name !== null && !VAGUE.has(name)
  })
}

/** Returns the category of the nearest text, otherwise of the status. */
function explain(dsn: DsnInput, code: number): CategoryName {
  const { enhanced, mxHost } = dsn
  // Text alone: the codes were already used with the first one.
  const replies: GivenReply[] = [
    { code, enhanced, text: dsn.text },
    ...dsn.context.map((text) => ({ code, enhanced: null, text })),
  ]
  let vague: CategoryName | null = null
  for (const [number, reply] of replies.entries()) {
    for (const rules of number === 0 && dsn.code !== null ? OF_REPLIES : OF_WORDS) {
      const name = findCategory(rules, reply, dsn.stage ?? 'rcpt', mxHost)
      if (name !== null && !isVague(name, reply)) return name
      if (name !== null && !VAGUE.has(name)) vague ??= name
    }
  }
  const byStatus = findCategory(STATUS_RULES, { code, enhanced, text: '' }, 'rcpt', mxHost)
  return byStatus ?? vague ?? (code < 500 ? 'temporary' : 'refused')
}

/** The registry distinguishes what the table of replies combines: all of x.4.x, network and routing. */
function isVague(name: CategoryName, { enhanced }: GivenReply): boolean {
  return VAGUE.has(name) || (name === 'system_trouble' && enhanced !== null && /^[45]\.4\./.test(enhanced))
}

/** Returns the final verdict for a failure of this category. */
function settle(dsn: DsnInput, name: CategoryName, code: number): Verdict {
  const { fault, final }: Category = CATEGORIES[name]
  if (fault === 'recipient' && code < 500) return verdictOf('expired', 'bounced')
  const isDoubted = DOUBTFUL.has(name) && !isProven(dsn)
  if (isDoubted) return verdictOf('address_doubted', 'bounced')
  if (name === 'address_disabled' && saysUnknown(dsn)) return verdictOf('no_such_address', 'bounced')
  return verdictOf(name, final === 'deferred' ? 'bounced' : final)
}

/** Servers with the same reply for disabled and nonexistent mailboxes. */
function saysUnknown({ enhanced, text }: DsnInput): boolean {
  return enhanced === '5.1.1' || (SAYS_UNKNOWN.test(text) && !SAYS_DISABLED.test(text))
}

/** These concern an address, but filters borrow their words to refuse a message without giving a reason. */
const DOUBTFUL: ReadonlySet<string> = new Set([
  'no_such_address',
  'mailbox_unavailable',
  'address_disabled',
] satisfies CategoryName[])
/** The exact words of RFC 5321 and its oldest servers, which filters borrow. */
const STOCK_PHRASE =
  /^((requested (mail )?action (not taken|aborted)|(message|mail|delivery) (was )?(rejected|refused|failed)|recipient( address)? rejected|sorry|error) )?((user|mailbox|recipient|address|account) )?(unknown|not found|unavailable|no such|invalid|does not exist)( (user|mailbox|recipient|address|account|here))*$/i
/** Sample texts of RFC 5321. Without the command that was rejected, only these are doubted. */
const QUOTED_FROM_RFC =
  /^(sorry |error )?requested (mail )?action (not taken|aborted)( (user|mailbox|recipient|address|account))?( (unknown|unavailable|no such|not found|invalid|does not exist))?( (user|mailbox|recipient|address|account|here))*$/i
/**
 * Filters that accept a message before the server behind them and forward only its last reply: MX Logic, SurfControl, Cisco
 * with another name for the refusal, and replies with an empty slot for the address.
 */
const PASSED_ON_BY_FILTER =
  /transcript of the attempts to send the message follows|other mail system problem|\b550: : user unknown/i
const FILTER_HOST = /(?:^|\.)mxlogic\.net$/i
const MAILBOX_UNAVAILABLE = /\brequested (?:mail )?action not taken: mail ?box unavailable/i
const SAYS_UNKNOWN =
  /unknown|no such|not (found|exist|known|listed|recogni)|does ?n[o']t exist|invalid|rejected/i
const SAYS_DISABLED = /disabl|inactiv|deactivat|suspend|clos|not accept/i
/** Phrases with which mail systems explain a server's reply to RCPT; they know the stage. */
const FINDS_NO_ADDRESS =
  /^returned mail: user unknown|address (could ?n.t|could not|was ?n.t|was not) (be )?found|\*\* address not found \*\*|was ?n.t found at|invalid final delivery|not found in the recipient.s e-?mail system/i
/** Its own gateways write the DSN, with no filter in between. */
const KEEPS_MAILBOXES = /\.(hotmail|outlook|live|msn)\.com$/i
/** Amazon SES lets a domain's owner answer accepted mail with "Mailbox does not exist" by rule. */
const ANSWERS_BY_RULE = /^inbound-smtp\.[\w-]+\.amazonaws\.com$/i

/**
 * Returns whether the server rejected the address: in reply to RCPT, with an enhanced code for addresses, in the words of
 * the system that holds the mailboxes, or with a reply beside the recipient without a command. After the content, `User
 * unknown` often comes from a filter. If the code says disabled and the text says unknown, one of them is wrong.
 */
function isProven({ code, enhanced, text, context, stage, reporter }: DsnInput): boolean {
  if (ANSWERS_BY_RULE.test(reporter)) return false
  if (stage === 'rcpt') return true
  if (enhanced !== null && /^5\.1\.[1-9]/.test(enhanced)) return true
  // Not a server's reply, but the words of the system that holds the mailbox or queried it.
  if (code === null || context.some((near) => FINDS_NO_ADDRESS.test(near))) return true
  if (KEEPS_MAILBOXES.test(reporter)) return true
  const words = [text, ...context].join(' ')
  if (enhanced === '5.2.1') return SAYS_DISABLED.test(words) || !SAYS_UNKNOWN.test(words)
  if (stage !== null || FILTER_HOST.test(reporter) || PASSED_ON_BY_FILTER.test(words)) {
    return !isStockPhrase(text, STOCK_PHRASE)
  }
  // The sample text for 550 in RFC 5321 section 4.2.2. Without words of policy, it concerns the mailbox.
  if (code === 550 && MAILBOX_UNAVAILABLE.test(text)) return true
  return !isStockPhrase(text, QUOTED_FROM_RFC)
}

function isStockPhrase(text: string, phrase: RegExp): boolean {
  const words = text
    .slice(0, 300)
    // Text after a comma explains nothing.
    .replace(/([a-z>])[,;](?<!\bsorry[,;]) .*/i, '$1')
    // Dates and part names beside it, which explain nothing.
    .replace(/\bon \d[\d/:. ]*(?:[AP]M)?|https?:\S+|\S+:\S+:\S+/g, ' ')
    .replace(/^\W*\d{3}\b|\([^()]*\)|\b\d\.\d+\.\d+\b|<[^<>]*>|\S+@\S+/g, ' ')
    .replace(/[^A-Za-z]+/g, ' ')
    .trim()
  return phrase.test(words)
}

/**
 * Returns whether the failure is permanent and the recipient's fault: no mail reaches this address. A disabled mailbox
 * (5.2.1) counts, although it may be enabled again (RFC 3463 section 3.3): until then it is suppressed like one that
 * never existed. A recipient who declines a message exists.
 */
export function isHardBounce({ state, fault, category }: Verdict): boolean {
  return state === 'bounced' && fault === 'recipient' && category !== 'recipient_declines'
}

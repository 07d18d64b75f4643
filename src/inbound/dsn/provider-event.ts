import type { Dsn } from '../../classification/dsn.ts'
import { type Action, type Claim, findAddress } from './claim.ts'
import { classifyClaim } from './classify-claim.ts'
import { findObjects, objectOf, type UnknownObject } from './event-json.ts'
import { readFeedbackType } from './feedback-fields.ts'
import type { OpenedDsn } from './open-dsn.ts'
import { findStatus } from './status-fields.ts'

const RECIPIENT_COUNT_MAX = 100
const TEXT_CHARS_MAX = 4000
/** Real events have about ten objects, and fewer than ten statements. */
const OBJECT_COUNT_MAX = 50
const STATEMENT_COUNT_MAX = 20
const NOTHING = { returnPath: null, messageId: null, header: null }

/** Names that providers use for each field, the most specific first, as `UnknownObject` has them. */
const NAMES = {
  event: ['notificationtype', 'eventtype', 'event', 'recordtype', 'messageevent', 'type', 'status', 'action'],
  recipients: [
    'bouncedrecipients',
    'complainedrecipients',
    'delayedrecipients',
    'rcptto',
    'recipient',
    'recipients',
    'email',
    'emailaddress',
    'rcpt',
    'to',
    'address',
  ],
  diagnostic: [
    'diagnosticcode',
    'rawreason',
    'smtpresponse',
    'response',
    'diag',
    'reason',
    'details',
    'statusmessage',
    'error',
    'message',
    'output',
    'comment',
    'description',
    'bouncedescription',
  ],
  status: ['enhancedcode', 'enhancedstatus', 'status', 'dsn'],
  code: ['code', 'smtpcode', 'errorcode'],
  kind: [
    'bouncetype',
    'bouncesubtype',
    'subtype',
    'severity',
    'bounceclassification',
    'bouncecategory',
    'errorrelatedto',
    'bounce',
    'type',
    'name',
    'reason',
  ],
} as const

const POSITIVE =
  /^(?:\w+[. ])?(?:deliver(?:y|ed)|message delivered|sent|send|processed|accepted|injection|queued|relayed|stored)$/
const OTHER =
  /open|click|subscri|read|proxy|page|list|schedul|engag|render|inbound|received|test|link|amp|verif/
const COMPLAINT = /complain|spam ?(?:report|notification)?$|abuse|^fbl|feedback/
const DELAYED = /defer|delay|temporar|transient|in ?progress|retry/
const FAILED =
  /bounce|fail|drop|undeliver|reject|block|invalid|suppress|out of band|policy|error|expire|filter/
const IS_HARD =
  /^(?:hard ?bounce[ds]?|hard|invalid ?(?:e-?mail|domain|address)|no ?email|bad ?mailbox|bad ?domain)$/
const IS_SOFT = /transient|temporar|soft|undetermined|^false$/

type Kind = 'delivered' | 'other' | 'complaint' | 'delayed' | 'failed'

/**
 * Reads a JSON event of a sending service: Amazon SES, also in the envelope of Amazon SNS, Mailgun, Mailjet, Postmark,
 * SendGrid, SparkPost and similar services. Returns null for any other text.
 */
export function readProviderEvent({ parts }: OpenedDsn): Dsn | null {
  const objects = parts
    .filter(({ type }) => type === 'text/plain' || /[/+]json$/.test(type))
    .map(({ text }) => findObjects(text))
    .find((list) => list.length > 0)
  if (objects === undefined) return null
  const events = objects.flatMap(readEvent)
  // Nested objects may look like events with fewer fields.
  const event = events.find(({ recipients }) => recipients.length > 0) ?? events[0]
  return event === undefined ? null : dsnOf(event, objects)
}

interface Event {
  kind: Kind
  recipients: readonly string[]
  objects: readonly UnknownObject[]
}

function readEvent(fields: UnknownObject): Event[] {
  const word = NAMES.event.map((name) => plain(textOf(fields[name]))).find((text) => kindOf(text) !== null)
  const kind = word === undefined ? null : kindOf(word)
  if (kind === null) return []
  const objects = below(fields)
  return [{ kind, recipients: recipientsOf(objects), objects }]
}

/** Splits `Permanent`, `hard_bounce`, `email.bounced` and `MessageDeliveryFailed` into words. */
function plain(text: string): string {
  const words = text.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()
  return words.replace(/[^a-z0-9.]+/g, ' ').trim()
}

function kindOf(word: string): Kind | null {
  if (word === '' || word.length > 60) return null
  if (COMPLAINT.test(word)) return 'complaint'
  if (DELAYED.test(word)) return 'delayed'
  if (FAILED.test(word)) return 'failed'
  if (POSITIVE.test(word)) return 'delivered'
  return OTHER.test(word) ? 'other' : null
}

/** Returns the object and its nested objects, nearest first, without the original message. */
function below(fields: UnknownObject): UnknownObject[] {
  const inside = Object.entries(fields).flatMap(([name, value]) => {
    const one = OF_MESSAGE.test(name) ? null : objectOf(value)
    return one === null ? [] : [one]
  })
  const deeper = inside.flatMap((one) => Object.values(one)).map(objectOf)
  return [fields, ...inside, ...deeper.filter((one) => one !== null)].slice(0, OBJECT_COUNT_MAX)
}

const OF_MESSAGE = /^(?:mail|headers|messageheaders|envelope|tags|metadata|signature|storage|flags)$/

function recipientsOf(objects: readonly UnknownObject[]): string[] {
  for (const name of NAMES.recipients) {
    const values = objects.flatMap((fields) => listOf(fields[name]))
    const addresses = values.flatMap(addressIn)
    if (addresses.length > 0) return [...new Set(addresses)].slice(0, RECIPIENT_COUNT_MAX)
  }
  return []
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value.slice(0, RECIPIENT_COUNT_MAX) : [value]
}

function addressIn(value: unknown): string[] {
  const fields = objectOf(value)
  const text = fields === null ? textOf(value) : textOf(fields.emailaddress ?? fields.email ?? fields.address)
  const address = findAddress(text)
  return address === null ? [] : [address]
}

function dsnOf({ kind, recipients, objects }: Event, all: readonly UnknownObject[]): Dsn {
  if (kind === 'complaint') {
    const feedback = all.map((fields) => textOf(fields.complaintfeedbacktype)).find((text) => text !== '')
    return {
      kind: 'complaint',
      feedback: readFeedbackType(feedback ?? 'abuse'),
      recipients,
      returned: NOTHING,
    }
  }
  if (kind === 'other' || recipients.length === 0) return { kind: 'unknown' }
  // Fields beside an address concern that recipient. All others concern every recipient.
  const inside = objects.flatMap((fields) => Object.values(fields).flatMap(listOf))
  const own = Map.groupBy(
    inside.map(objectOf).filter((one) => one !== null),
    (one) => addressIn(one)[0],
  )
  const claims = recipients.map((address) => {
    const near = [...(own.get(address) ?? []).slice(0, OBJECT_COUNT_MAX), ...objects]
    return classifyClaim(claimOf(address, kind, near))
  })
  return { kind: 'delivery_status', recipients: claims, returned: NOTHING }
}

/** @param near the objects about the recipient, nearest first */
function claimOf(address: string, action: Action, near: readonly UnknownObject[]): Claim {
  const texts = near.flatMap((fields) => NAMES.diagnostic.map((name) => textOf(fields[name]).trim()))
  const statements = [...new Set(texts)]
    .filter((text) => /\s|\d{3}|[^\p{ASCII}]/u.test(text))
    .slice(0, STATEMENT_COUNT_MAX)
    .map((text) => text.replace(TYPED, ''))
  const kinds = near.flatMap((fields) => NAMES.kind.map((name) => plain(textOf(fields[name]))))
  const status = near
    .flatMap((fields) => NAMES.status.map((name) => findStatus(textOf(fields[name]))))
    .find((one) => one !== null)
  const code = near
    .flatMap((fields) => NAMES.code.map((name) => textOf(fields[name])))
    .find((text) => /^[45]\d\d$/.test(text))
  const isHard = isCalledHard(near, kinds)
  const diagnostic = statements.find((text) => /^\W*[45]\d\d\b/.test(text)) ?? statements[0] ?? ''
  const words = kinds.filter((kind) => kind !== '' && !diagnostic.includes(kind))
  return {
    address,
    action,
    status: status ?? (kinds.some((kind) => IS_SOFT.test(kind)) && !isHard ? '4.0.0' : null),
    diagnostic:
      code !== undefined && diagnostic !== '' && !/^\W*[45]\d\d\b/.test(diagnostic)
        ? `${code} ${diagnostic}`
        : diagnostic,
    context: [
      ...statements.filter((text) => text !== diagnostic),
      words.join('; '),
      ...(isHard && !/^\W*[45]\d\d\b/.test(diagnostic) ? [HARD] : []),
    ],
    stage: null,
    host: null,
    reporter:
      textOf(near.map((fields) => fields.reportingmta).find((value) => textOf(value) !== '')).replace(
        TYPED,
        '',
      ) || null,
  }
}

/** Returns whether the service reports that the address does not exist, not only that it stopped retrying. */
function isCalledHard(near: readonly UnknownObject[], kinds: readonly string[]): boolean {
  const isPermanent = near.some((fields) => plain(textOf(fields.bouncetype)) === 'permanent')
  return (
    kinds.some(
      (kind) => IS_HARD.test(kind) || (isPermanent && (kind === 'general' || kind === 'suppressed')),
    ) || near.some((fields) => fields.hardbounce === true)
  )
}

/** The type in front of a reply, as in a Diagnostic-Code field: `smtp; 550 ...`. */
const TYPED = /^\s*(?:smtp|dns|x-[\w-]+)\s*;\s*/i
/** Represents a permanent bounce without an explanation. */
const HARD = 'hard bounce: no such address'

function textOf(value: unknown): string {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' ? value.slice(0, TEXT_CHARS_MAX) : ''
}

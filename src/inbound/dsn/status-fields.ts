import { explainsFailure } from '../../classification/classify-dsn.ts'
import { type Action, type Claim, findAddress, findAddresses } from './claim.ts'
import { type Field, type Fields, findField, readSection } from './fields.ts'

const FIELD_COUNT_MAX = 20
/** Real DSNs have one reason, and a line of a reply at most 512 bytes (RFC 5321 section 4.5.3.1.5). */
const REASON_COUNT_MAX = 2
const REASON_CHARS_MAX = 600
const COMMENT_COUNT_MAX = 3
/** Names, hosts, queue numbers and programs: a recipient with the display name `User Unknown` exists. */
const NAMES_NO_REASON =
  /-(?:name|recipients?|sender|from|to|address|id|ids|guid|mta|virtualmta|host|ip|date|time|version|mailer|agent|subject)$|^x-(?:mailer|spam|virus|junk)/
/** Other fields state a reason only by a reply code: `X-Rule: Not found` concerns a rule. */
const NAMES_REASON =
  /(?:^|-)(?:info|information|notes?|reasons?|errors?|text|bounce-?category|category|diagnos(?:is|tics?)|explanation|description|details?|response|reply|cause|failure)(?:-|$)/
/**
 * `< host #5.1.1 smtp;550 ...>`: Exchange writes this into X-Supplementary-Info, and no Diagnostic-Code (MS-OXCMAIL
 * section 2.2.3.7.1.2). Host and reply may be absent.
 */
const SUPPLEMENTARY = /^<[^<>#]{0,255}#([245]\.\d{1,3}\.\d{1,3})(?:\s+(\S.*?))?>?$/
const TYPE = /^(?:smtp|x-[a-z-]{1,30})\s*;\s*/i
const BEGINS_WITH_CODE = /^(?:[45][0-5]\d[ -]+\S|[45]\.\d{1,3}\.\d{1,3}\b)/
/** The name of a class, which PowerMTA derives from the reply: `bad-mailbox`. */
const CLASS = /^[a-z]+(?:-[a-z]+){1,3}$/i

/** More recipients than any of our messages has (150), and than any DSN of one of them needs. */
const RECIPIENT_COUNT_MAX = 300
const FIELD_CHARS_MAX = 8192
const ACTIONS: readonly Action[] = ['failed', 'delayed', 'delivered', 'relayed', 'expanded']
const KNOWN = new Set([
  'original-envelope-id',
  'reporting-mta',
  'dsn-gateway',
  'received-from-mta',
  'arrival-date',
  'original-recipient',
  'final-recipient',
  'action',
  'status',
  'remote-mta',
  'diagnostic-code',
  'last-attempt-date',
  'final-log-id',
  'will-retry-until',
  'localized-diagnostic',
])
const OF_RECIPIENT = new Set(['original-recipient', 'final-recipient', 'action', 'status'])

/** Returns whether a text contains delivery status fields, whatever its type. */
export function hasStatusFields(text: string): boolean {
  return (
    /^[ \t]{0,8}(?:Final|Original)-Recipient[ \t]*:[^\n]*$/im.test(text) &&
    /^[ \t]{0,8}(?:Action|Status|Diagnostic-Code)[ \t]*:/im.test(text)
  )
}

/**
 * Returns the claims of a message/delivery-status part (RFC 3464 section 2, RFC 6533 section 4), or of a text with
 * the same content.
 */
export function readStatusFields(text: string): Claim[] {
  const claims: Claim[] = []
  const groups = groupsOf(text)
  const reporting = groups.flatMap((group) => findField(group, 'reporting-mta') ?? [])[0]
  const reporter = reporting === undefined ? null : hostOf(reporting)
  for (const group of groups) {
    if (claims.length >= RECIPIENT_COUNT_MAX) break
    const claim = claimOf(group, reporter)
    if (claim !== null)
      claims.push(...expandClaim(claim, group).slice(0, RECIPIENT_COUNT_MAX - claims.length))
  }
  return claims
}

/**
 * Returns the fields of each recipient. Empty lines between recipients may be lost or added in transit. A recipient
 * ends at a field that it already has, or at an empty line after its action or status.
 */
function groupsOf(text: string): Field[][] {
  const groups: Field[][] = []
  let group: Field[] = []
  const close = () => {
    if (group.length > 0) groups.push(group)
    group = []
  }
  for (const line of unfoldLines(text)) {
    if (groups.length > RECIPIENT_COUNT_MAX) break
    if (line === '') {
      if (isWhole(group) || !group.some(({ name }) => OF_RECIPIENT.has(name))) close()
      continue
    }
    const field = readSection(line).fields[0]
    if (field === undefined) continue
    if (OF_RECIPIENT.has(field.name) && group.some(({ name }) => name === field.name)) close()
    group.push(field)
  }
  close()
  return groups
}

function isWhole(group: Fields): boolean {
  const has = (name: string) => group.some((field) => field.name === name)
  return (has('final-recipient') || has('original-recipient')) && (has('action') || has('status'))
}

/**
 * Yields lines with wrapped ones joined, even if the leading space was lost. A text may have 150,000 lines: splitting it at once
 * takes several times as long.
 */
function* unfoldLines(text: string): Generator<string> {
  const skip = createSkip(text)
  let whole = ''
  for (let start = 0; start <= text.length; ) {
    const newline = text.indexOf('\n', start)
    const end = newline < 0 ? text.length : newline
    const line = text.slice(start, end)
    start = end + 1
    const name = line.includes(':') ? nameOf(line) : ''
    if (name === null) {
      if (whole !== '') yield whole
      whole = ''
    } else if (name !== '') {
      if (whole !== '') yield whole
      whole = line.trim()
    } else if (!/\S/.test(line)) {
      if (whole !== '') yield whole
      whole = ''
      yield ''
    } else if (whole !== '' && whole.length < FIELD_CHARS_MAX) whole += ` ${line.trim()}`
    else start = skip(start)
  }
  if (whole !== '') yield whole
}

/**
 * Returns a function that passes over lines that can only continue a field: it returns the start of the first other line. It
 * remembers what it has found, because the next colon may be a megabyte away from each of many empty lines.
 */
function createSkip(text: string): (start: number) => number {
  const emptyLine = /\n[^\S\n]*(?=\n|$)/g
  let emptyAt = -1
  let colonAt = -1
  return (start) => {
    if (emptyAt < start) {
      emptyLine.lastIndex = start - 1
      emptyAt = (emptyLine.exec(text)?.index ?? text.length) + 1
    }
    if (colonAt < start) {
      const found = text.indexOf(':', start)
      colonAt = found < 0 ? Number.POSITIVE_INFINITY : found
    }
    return colonAt > emptyAt ? emptyAt : text.lastIndexOf('\n', colonAt) + 1
  }
}

/** Returns the name of the report's field that a line begins, '' if it begins none, null if the field is not part of the report. */
function nameOf(line: string): string | null {
  const name = /^[ \t]{0,8}([A-Za-z][A-Za-z-]{1,60})[ \t]*:/.exec(line)?.[1]?.toLowerCase() ?? ''
  if (KNOWN.has(name) || /^x-/.test(name)) return name
  return /^[A-Za-z-]{1,60}: /.test(line) ? null : ''
}

/**
 * Splits a field that contains all recipients of a host, separated by commas. RFC 3464 section 2.3.2 allows only one.
 */
function expandClaim(claim: Claim, group: Fields): Claim[] {
  const field = findField(group, 'final-recipient') ?? findField(group, 'original-recipient') ?? ''
  const addresses = /@[^,;]{1,255}[,;]\s*[^,;]+@/.test(field) ? [...new Set(findAddresses(field))] : []
  return addresses.length > 1 ? addresses.map((address) => ({ ...claim, address })) : [claim]
}

function claimOf(group: Fields, reporter: string | null): Claim | null {
  const final = findField(group, 'final-recipient')
  const original = findField(group, 'original-recipient')
  if (final === null && original === null) return null
  const statusField = findField(group, 'status') ?? ''
  const word = /[a-z]+/.exec((findField(group, 'action') ?? '').toLowerCase())?.[0] ?? ''
  const remote = findField(group, 'remote-mta')
  const status = findStatus(statusField)
  const standard = typed(findField(group, 'diagnostic-code') ?? '').value
  const vendors = isDefiniteStatus(status) ? [] : findVendorReasons(group, standard !== '')
  return {
    address:
      addressOf(final ?? '') ?? addressOf(original ?? '') ?? (typed(final ?? original ?? '').value || null),
    action: ACTIONS.find((action) => word.startsWith(action.slice(0, 4))) ?? null,
    status,
    diagnostic: standard || (vendors[0] ?? ''),
    // Many servers explain the status in a comment (RFC 3464 section 2.3.4).
    context: [
      ...[...statusField.matchAll(/\(([^()]{3,300})\)/g)]
        .slice(0, COMMENT_COUNT_MAX)
        .map(([, comment]) => comment as string),
      ...(standard === '' ? vendors.slice(1) : vendors),
    ],
    stage: null,
    host: remote === null ? null : hostOf(remote),
    reporter,
  }
}

/** Returns the code in a Status field (RFC 3464 section 2.3.4), or null. */
export function findStatus(text: string): string | null {
  return /\b([245]\.\d{1,3}\.\d{1,3})\b/.exec(text)?.[1] ?? null
}

function hostOf(text: string): string | null {
  return typed(text).value.split(/[\s([|]/)[0] || null
}

/** Parses `type; value` (RFC 3464 section 2.1.2). Many servers omit the type. */
function typed(text: string): { type: string; value: string } {
  const match = /^\s*([A-Za-z][A-Za-z0-9.-]{0,40})\s*;\s*/.exec(text)
  if (match === null) return { type: '', value: text.trim() }
  return { type: (match[1] as string).toLowerCase(), value: text.slice(match[0].length).trim() }
}

function addressOf(text: string): string | null {
  const { type, value } = typed(text)
  return findAddress(type === 'utf-8' ? decodeXtext(value) : value)
}

/** Decodes `\x{20AC}` to the character that it represents (RFC 6533 section 3). */
function decodeXtext(text: string): string {
  return text.replace(/\\x\{([0-9A-Fa-f]{2,6})\}/g, (whole, hex: string) => {
    const code = Number.parseInt(hex, 16)
    return code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : whole
  })
}

/**
 * Returns the reasons that vendor fields (`X-`, RFC 3464 section 2.4) give for a recipient. They count only where the
 * standard fields leave the reason open: with a reply code, or in a field that is named for a reason. The name of a class says less than any reply, so it counts only without one.
 */
function findVendorReasons(group: Fields, hasReply: boolean): string[] {
  return group
    .filter(
      ({ name, value }) =>
        name.startsWith('x-') && !NAMES_NO_REASON.test(name) && !(hasReply && CLASS.test(value)),
    )
    .slice(0, FIELD_COUNT_MAX)
    .map(({ name, value }) => ({ name, reason: reasonOf(value.slice(0, REASON_CHARS_MAX)) }))
    .filter(
      ({ name, reason }) =>
        BEGINS_WITH_CODE.test(reason) || (NAMES_REASON.test(name.slice(2)) && explainsFailure(reason)),
    )
    .slice(0, REASON_COUNT_MAX)
    .map(({ reason }) => reason)
}

/**
 * Returns whether a Status names a reason. The detail 0 means "other or undefined" (RFC 3463 section 3); of media (5.6.0)
 * and of policy (5.7.0) the subject alone already says that the address is not at fault.
 */
function isDefiniteStatus(status: string | null): boolean {
  return status !== null && !/^5\.[0-5]\.0$/.test(status)
}

function reasonOf(value: string): string {
  const match = SUPPLEMENTARY.exec(value)
  const text = match === null ? value : (match[2] ?? match[1] ?? '')
  return CLASS.test(text) ? text.replaceAll('-', ' ') : text.replace(TYPE, '')
}

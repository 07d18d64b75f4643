import type { Dsn } from '../../classification/dsn.ts'
import { type Claim, findAddress, findAddresses } from './claim.ts'
import { classifyClaim } from './classify-claim.ts'
import { findDsnText } from './dsn-text.ts'
import { type Fields, findField, readSection } from './fields.ts'
import { isFromServer } from './from-server.ts'
import { type DsnPart, type OpenedDsn, openDsn } from './open-dsn.ts'
import { findQuotedReply } from './quoted-reply.ts'
import { readTextClaims } from './read-words.ts'
import { isAnswer, reportsFailure } from './reports-failure.ts'
import { describeReturned, findReturnedHeader } from './returned.ts'
import { refusedAtRcpt, stageOf } from './stage-of.ts'
import { hasStatusFields, readStatusFields } from './status-fields.ts'
import { findPassages } from './words.ts'

const CONTEXT_CHARS_MAX = 4000
const STATUS_FIELD =
  /^[ \t>]{0,8}(?:(?:Final|Original)-Recipient|Reporting-MTA|Received-From-MTA|Remote-MTA|Action|Status|X-[\w-]+)[ \t]*:[^\n]*$/gim

const HEADER_CHARS_MAX = 65536
const STATUS_TYPES = new Set(['message/delivery-status', 'message/global-delivery-status'])

/**
 * Reads a DSN with delivery status fields, in a separate part or elsewhere. Returns null for anything else. A reply
 * to one of our messages may quote such fields, so there only a separate part counts.
 */
export function readDeliveryStatus(outer: OpenedDsn): Dsn | null {
  const own = outer.parts.find(isStatusPart)
  if (own === undefined && isAnswer(outer)) return null
  const opened = findStatusPart(outer) === undefined ? openForwarded(outer) : outer
  const part = opened === null ? undefined : findStatusPart(opened)
  if (opened === null || part === undefined) return null
  const claims = readStatusFields(part.text)
  if (claims.length === 0) return null
  const text = findDsnText(opened)
  const header = findReturnedHeader(opened, text.rest)
  const named = nameAddressees(claims, opened.fields, header)
  return dsnOf(enrichClaims(named, text.words), header)
}

/** Finds a DSN that a gateway or a person forwarded inside another message. */
function openForwarded(outer: OpenedDsn): OpenedDsn | null {
  const part = outer.parts.find(
    ({ type, text }) => type === 'message/rfc822' && isNotification(text.slice(0, HEADER_CHARS_MAX), outer),
  )
  return part === undefined ? null : openDsn(Buffer.from(part.text, 'utf8'))
}

/**
 * Returns whether an inner message is a DSN. A returned message may itself come from a postmaster. A DSN has an empty
 * return path (RFC 3464 section 2).
 */
function isNotification(text: string, outer: OpenedDsn): boolean {
  if (/^content-type:\s*multipart\/report/im.test(text)) return true
  const inner = readSection(text)
  if (!isFromServer(inner)) return false
  return !isFromServer(outer) || /^<?>?$/.test(findField(inner.fields, 'return-path') ?? 'none')
}

function isStatusPart({ type, text }: DsnPart): boolean {
  return STATUS_TYPES.has(type) && text.trim() !== ''
}

function findStatusPart({ parts }: OpenedDsn): DsnPart | undefined {
  return (
    parts.find(isStatusPart) ??
    parts.find(({ type, text }) => type.startsWith('text/') && hasStatusFields(text))
  )
}

/** Reads a failure or a delay described in text alone. Returns null if the message describes neither. */
export function readFailureText(outer: OpenedDsn): Dsn | null {
  const forwarded = openForwarded(outer)
  return (forwarded === null ? null : readWordsOf(forwarded)) ?? readWordsOf(outer)
}

function readWordsOf(opened: OpenedDsn): Dsn | null {
  const text = findDsnText(opened)
  if (!reportsFailure(opened, text)) return null
  const header = findReturnedHeader(opened, text.rest)
  const claims = readTextClaims(opened, text, header)
  return dsnOf(claims, header)
}

/** The limit on recipients of our messages. A DSN that names more is not examined in full. */
const AT_LENGTH_COUNT_MAX = 150
const BRIEF_CHARS_MAX = 300

function dsnOf(claims: readonly Claim[], header: string | null): Dsn {
  const examined = claims.length > AT_LENGTH_COUNT_MAX ? claims.map(shorten) : claims
  return {
    kind: 'delivery_status',
    recipients: examined.map(classifyClaim),
    returned: describeReturned(header),
  }
}

function shorten(claim: Claim): Claim {
  return {
    ...claim,
    diagnostic: claim.diagnostic.slice(0, BRIEF_CHARS_MAX),
    context: claim.context.map((text) => text.slice(0, BRIEF_CHARS_MAX)),
  }
}

/** Adds details from the text of a DSN that its fields lack: the command that was answered, and the server's reply. */
function enrichClaims(claims: readonly Claim[], text: string): Claim[] {
  // Fields in the text have already been read.
  const words = text.replace(STATUS_FIELD, '')
  const passages = new Map(
    findPassages(words, new Set()).map(({ address, text }) => [address.toLowerCase(), text]),
  )
  const isOne = claims.length === 1
  const refused = refusedAtRcpt(words)
  return claims.map((claim) => {
    const own = passages.get((claim.address ?? '').toLowerCase()) ?? ''
    const whole = isOne ? words.slice(0, CONTEXT_CHARS_MAX) : ''
    const reply = claim.diagnostic === '' ? (findQuotedReply(own) ?? findQuotedReply(whole)) : null
    return {
      ...claim,
      diagnostic: reply ?? claim.diagnostic,
      context: [...claim.context, own, whole].filter((text) => text.trim() !== ''),
      stage:
        stageOf(claim.diagnostic) ??
        (refused.has((claim.address ?? '').toLowerCase()) ? 'rcpt' : (stageOf(own) ?? stageOf(whole))),
    }
  })
}

/**
 * Replaces a claim without an address with the recipient in the headers: a file or program that an address led to is
 * not a recipient.
 */
function nameAddressees(claims: readonly Claim[], fields: Fields, returned: string | null): readonly Claim[] {
  const [claim] = claims
  if (claims.length !== 1 || claim === undefined || claim.address?.includes('@') === true) return claims
  const named = findAddresses(findField(fields, 'x-failed-recipients') ?? '')[0]
  const to = returned === null ? null : findAddress(findField(readSection(returned).fields, 'to') ?? '')
  return [{ ...claim, address: named ?? to ?? claim.address }]
}

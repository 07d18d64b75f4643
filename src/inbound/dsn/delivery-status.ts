import type { Dsn } from '../../classification/dsn.ts'
import type { Claim } from './claim.ts'
import { classifyClaim } from './classify-claim.ts'
import { findDsnText } from './dsn-text.ts'
import { enrichClaims, nameAddressees } from './enrich-claims.ts'
import { findField, readSection } from './fields.ts'
import { isFromServer } from './from-server.ts'
import { type DsnPart, type OpenedDsn, openDsn } from './open-dsn.ts'
import { readTextClaims } from './read-words.ts'
import { isAnswer, reportsFailure } from './reports-failure.ts'
import { describeReturned, findReturnedHeader } from './returned.ts'
import { hasStatusFields, readStatusFields } from './status-fields.ts'

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

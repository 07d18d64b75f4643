import { isLongerThan } from '../lib/text/is-longer-than.ts'
import { customField } from './custom-field.ts'
import { LINE_OCTETS_MAX } from './line-ends.ts'
import { REQUIRE_TLS, readRequireTls } from './require-tls.ts'
import { isTraceName } from './trace-name.ts'

const NAME_CHARS_MAX = 76
const VALUE_CHARS_MAX = 4000
/** RFC 5322 section 2.2: printable ASCII except the colon. */
const NAME = /^[!-9;-~]+$/
const CONTROL = /[\p{Cc}\p{Cs}\u2028\u2029]/u

/** Fields that Sendwright writes itself. A second one would let a sender impersonate others. */
const OWNED = new Set([
  'from',
  'to',
  'cc',
  'bcc',
  'subject',
  'date',
  'message-id',
  'mime-version',
  'dkim-signature',
  'received',
  'return-path',
  'sender',
  'reply-to',
])
const OWNED_PREFIX = /^(?:content|resent)-/

/** Fields that mail libraries set, but Sendwright writes itself. It drops them without an error. */
const DROPPED = new Set(['return-path', 'date'])
const MESSAGE_ID = 'message-id'
export const ORIGINAL_MESSAGE_ID = 'X-Original-Message-ID'
/** Fields that occur once (RFC 5322 section 3.6, RFC 2369 section 2), beside those that Sendwright writes. */
const ONCE = /^(?:message-id|x-original-message-id|in-reply-to|references|list-.*)$/i

/** Why a custom header is rejected, with the facts that an error message names. */
export type CustomHeaderProblem =
  | { problem: 'empty_name' }
  | { problem: 'long_name'; charsMax: number }
  | { problem: 'name_characters' }
  | { problem: 'service_field' }
  | { problem: 'long_value'; charsMax: number }
  | { problem: 'value_characters' }
  | { problem: 'unfoldable_value'; octetsMax: number }
  | { problem: 'require_tls_value' }

/** The custom header fields of an email, and the Message-ID among them. */
export interface GivenFields {
  fields: [string, string][]
  messageId: string | null
}

/**
 * Returns the custom header fields to send. Drops `Return-Path` and `Date`, because mail libraries set them. Keeps one
 * `X-Original-Message-ID`, and takes out the first `Message-ID`, which only some emails keep.
 */
export function headersToSend(headers: readonly [string, string][]): GivenFields {
  const named = (headerName: string) =>
    headers.find(([name]) => name.toLowerCase() === headerName.toLowerCase())
  const original = named(ORIGINAL_MESSAGE_ID)
  const set = [...DROPPED, MESSAGE_ID, ORIGINAL_MESSAGE_ID.toLowerCase()]
  const rest = headers.filter(([name]) => !set.includes(name.toLowerCase()))
  return {
    fields: original === undefined ? rest : [...rest, [ORIGINAL_MESSAGE_ID, original[1]]],
    messageId: named(MESSAGE_ID)?.[1] ?? null,
  }
}

/** Returns whether a message may have only one field of that name. */
export function occursOnce(name: string): boolean {
  return ONCE.test(name)
}

/** Returns why a custom header is rejected, or null if it may be sent. */
export function checkHeader(name: string, value: string): CustomHeaderProblem | null {
  if (name === '') return { problem: 'empty_name' }
  if (name.length > NAME_CHARS_MAX) return { problem: 'long_name', charsMax: NAME_CHARS_MAX }
  if (!NAME.test(name)) return { problem: 'name_characters' }
  const lower = name.toLowerCase()
  const isControl = isTraceName(lower) && lower !== REQUIRE_TLS
  if (OWNED.has(lower) || OWNED_PREFIX.test(lower) || isControl) return { problem: 'service_field' }
  return checkValue(name, value)
}

/**
 * Returns why a given header is rejected, or null. Accepts `Return-Path`, `Date` and `Message-ID` (see headersToSend).
 */
export function checkGivenHeader(name: string, value: string): CustomHeaderProblem | null {
  const lower = name.toLowerCase()
  // It may be sent under the longer name, with less room in its first line.
  if (lower === MESSAGE_ID) return checkValue(ORIGINAL_MESSAGE_ID, value)
  return DROPPED.has(lower) ? checkValue(name, value) : checkHeader(name, value)
}

function checkValue(name: string, value: string): CustomHeaderProblem | null {
  if (isLongerThan(value, VALUE_CHARS_MAX)) {
    return { problem: 'long_value', charsMax: VALUE_CHARS_MAX }
  }
  if (name.toLowerCase() === REQUIRE_TLS && readRequireTls(value.trim()) === null) {
    return { problem: 'require_tls_value' }
  }
  if (CONTROL.test(value)) return { problem: 'value_characters' }
  return customField(name, value, false) === null
    ? { problem: 'unfoldable_value', octetsMax: LINE_OCTETS_MAX }
    : null
}

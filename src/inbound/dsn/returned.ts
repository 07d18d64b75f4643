import type { ReturnedMessage } from '../../classification/dsn.ts'
import { findAddress } from './claim.ts'
import { findField, readSection } from './fields.ts'
import type { OpenedDsn } from './open-dsn.ts'

const HEADER_BYTES_MAX = 64 * 1024
const RETURNED = new Set([
  'message/rfc822',
  'message/global',
  'text/rfc822-headers',
  'message/global-headers',
  'message/rfc822-headers',
  'text/rfc822',
])

/** Returns the header of the returned message as text, or null. */
export function findReturnedHeader({ parts }: OpenedDsn, rest: string | null): string | null {
  const part = parts.find(({ type }) => RETURNED.has(type))
  const text = part?.text ?? rest
  if (text === null) return null
  const begun = text.replace(/^\s*\n/, '')
  const end = begun.indexOf('\n\n')
  const header = begun.slice(0, Math.min(end < 0 ? begun.length : end + 1, HEADER_BYTES_MAX))
  return readSection(header).fields.length === 0 ? null : header
}

/** Describes the returned message by its header; all fields are null if nothing was returned. */
export function describeReturned(header: string | null): ReturnedMessage {
  if (header === null) return { returnPath: null, messageId: null, header: null }
  const { fields } = readSection(header)
  const messageId = findField(fields, 'message-id')
  return {
    returnPath: findAddress(findField(fields, 'return-path') ?? ''),
    messageId: messageId === null ? null : (/<([^<>\s]{1,998})>/.exec(messageId)?.[1] ?? null),
    header: Buffer.from(header.replaceAll('\n', '\r\n')).subarray(0, HEADER_BYTES_MAX),
  }
}

/** Returns the recipient in the returned header, which is all that many feedback reports reveal. */
export function recipientOfReturned(header: string | null): string | null {
  if (header === null) return null
  const { fields } = readSection(header)
  for (const name of ['x-hmxmroriginalrecipient', 'delivered-to', 'to']) {
    const address = findAddress(findField(fields, name) ?? '')
    if (address !== null) return address
  }
  return null
}

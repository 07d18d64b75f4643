import type { Dsn } from '../../classification/dsn.ts'
import { isAutoReply } from './auto-reply.ts'
import { readComplaint } from './complaint.ts'
import { readDeliveryStatus, readFailureText } from './delivery-status.ts'
import { isFromPerson, isPersonsAnswer } from './from-person.ts'
import { type OpenedDsn, openDsn } from './open-dsn.ts'
import { readProviderEvent } from './provider-event.ts'

/**
 * Reads a returned message: DSNs (RFC 3464, and those written as text), feedback reports (RFC 5965), automatic
 * replies (RFC 3834). Never throws. Examines the first megabyte and takes far less than a second for any input. The
 * result is unproven: a DSN is as easy to forge as other mail.
 */
export function readDsn(message: Buffer): Dsn {
  return readOpenedDsn(openDsn(message))
}

/** The second half of `readDsn`. A server takes a turn of the event loop for each. */
export function readOpenedDsn(opened: OpenedDsn): Dsn {
  const dsn =
    readComplaint(opened) ??
    (isPersonsAnswer(opened) ? null : readProviderEvent(opened)) ??
    (isFromPerson(opened) ? null : (readDeliveryStatus(opened) ?? readFailureText(opened)))
  if (dsn !== null) return dsn
  return isAutoReply(opened) ? { kind: 'auto_reply' } : { kind: 'unknown' }
}

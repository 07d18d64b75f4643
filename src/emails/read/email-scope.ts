import type { Caller } from '../../access/caller.ts'
import { suppressionKey } from '../../mime/address.ts'
import type { Email, WholeEmail } from './read-emails-queries.ts'

/**
 * Returns whether the caller may see the content of an email, and who else received it. A key that may only send often
 * runs on machines that customers reach: it sees what it sent itself, not the reset links of other programs.
 */
export function maySeeContent(
  { permission, keyId }: Pick<Caller, 'permission' | 'keyId'>,
  { apiKeyId }: Pick<Email, 'apiKeyId'>,
): boolean {
  return permission === 'full' || (keyId !== null && keyId === apiKeyId)
}

/** Returns an email without its hidden recipients, their events, and the visits, which name links of the content. */
export function withoutHiddenParts({ email, recipients, events, ...rest }: WholeEmail): WholeEmail {
  const visible = recipients.filter(({ kind }) => kind !== 'bcc')
  const keys = new Set(visible.map(({ address }) => suppressionKey(address)))
  return {
    ...rest,
    email: { ...email, addressees: { ...email.addressees, bcc: [] } },
    recipients: visible,
    events: events.filter(
      ({ type, data: { recipient } }) =>
        type !== 'email.clicked' && (typeof recipient !== 'string' || keys.has(suppressionKey(recipient))),
    ),
  }
}

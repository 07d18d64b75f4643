import { formatTime } from '../lib/time/format-time.ts'

type Fields = Readonly<Record<string, unknown>>

/**
 * Returns an event's own data beside its subject's: as recorded and, where other services use different names, in those
 * too. The model is the payload of Resend's webhooks.
 */
export function describeOwnData(type: string, data: Fields, createdAt: Date): Record<string, unknown> {
  const inOtherWords = OTHER_WORDS[type]?.(data, createdAt)
  return inOtherWords === undefined ? { ...data } : { ...data, ...inOtherWords }
}

const OTHER_WORDS: Readonly<Record<string, (data: Fields, createdAt: Date) => Fields>> = {
  'email.bounced': (data) => ({ bounce: { ...bounceOf(data.category), message: messageOf(data) } }),
  'email.failed': (data) => ({ failed: { reason: messageOf(data) } }),
  'email.suppressed': (data) => ({
    suppressed: { type: 'OnAccountSuppressionList', message: messageOf(data) || SUPPRESSED },
  }),
  'email.clicked': (data, createdAt) => ({
    click: {
      link: data.link,
      ipAddress: data.ip_address,
      userAgent: data.user_agent ?? '',
      timestamp: formatTime(createdAt),
    },
  }),
}

const SUPPRESSED = 'The address is on the suppression list.'

/** In the terms of Amazon SES, which Resend uses. `Transient`: the mailbox may accept mail again later. */
function bounceOf(category: unknown): { type: string; subType: string } {
  switch (category) {
    case 'mailbox_full':
      return { type: 'Transient', subType: 'MailboxFull' }
    case 'too_large':
      return { type: 'Transient', subType: 'MessageTooLarge' }
    case 'expired':
      return { type: 'Transient', subType: 'General' }
    default:
      return { type: 'Permanent', subType: 'General' }
  }
}

function messageOf({ response, advice }: Fields): string {
  return String(response ?? advice ?? '')
}

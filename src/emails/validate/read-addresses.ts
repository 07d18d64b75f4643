import { isDisplayName, type Mailbox, parseMailbox, suppressionKey } from '../../mime/address.ts'
import { unfold } from '../../mime/custom-field.ts'
import { decodeJoinedWords, readWords } from '../../mime/joined-words.ts'

/** Records why a field is rejected. */
export type Refuse = (field: string, message: string) => void

/** The addresses of a request as given. */
interface GivenAddresses {
  to?: string | string[]
  cc?: string | string[]
  bcc?: string | string[]
  reply_to?: string | string[]
}

export interface Addressed {
  to: Mailbox[]
  cc: Mailbox[]
  replyTo: Mailbox[]
  recipients: Recipient[]
  /** As given, for reads. */
  addressees: { to: string[]; cc: string[]; bcc: string[]; reply_to: string[] }
}

export interface Recipient {
  kind: 'to' | 'cc' | 'bcc'
  mailbox: Mailbox
  /** The form that filters and suppressions compare. */
  key: string
}

const TO_COUNT_MAX = 50
const RECIPIENT_COUNT_MAX = 150

/** Reads the fields of addresses. Reports every problem to `refuse`. */
export function readAddressees(request: GivenAddresses, refuse: Refuse): Addressed {
  const addressees = {
    to: asArray(request.to),
    cc: asArray(request.cc),
    bcc: asArray(request.bcc),
    reply_to: asArray(request.reply_to),
  }
  const mailboxes = (field: keyof typeof addressees) =>
    parseList(field, request[field], addressees[field], refuse)
  if (addressees.to.length + addressees.cc.length + addressees.bcc.length === 0) {
    refuse('to', 'The to field is required.')
  }
  if (addressees.to.length > TO_COUNT_MAX) {
    refuse('to', `The to field must not have more than ${TO_COUNT_MAX} items.`)
  }
  const to = mailboxes('to')
  const cc = mailboxes('cc')
  const bcc = mailboxes('bcc')
  const replyTo = mailboxes('reply_to')
  if (to.length + cc.length + bcc.length > RECIPIENT_COUNT_MAX) {
    refuse(
      'to',
      `An email must not have more than ${RECIPIENT_COUNT_MAX} recipients in to, cc and bcc together.`,
    )
  }
  return { to, cc, replyTo, recipients: distinctRecipients(to, cc, bcc), addressees }
}

/** Unfolds what stands before the address. */
function unfoldName(text: string): string {
  const at = Math.max(0, text.lastIndexOf('<'))
  return `${unfold(text.slice(0, at))}${text.slice(at)}`
}

function asArray(value: string | string[] | undefined): string[] {
  if (value === undefined) return []
  return (typeof value === 'string' ? [value] : value).map(unfoldName)
}

function parseList(field: string, value: unknown, texts: readonly string[], refuse: Refuse): Mailbox[] {
  const mailboxes: Mailbox[] = []
  // Bound the work: an over-long list is already rejected for its length.
  for (const [index, text] of texts.slice(0, RECIPIENT_COUNT_MAX + 1).entries()) {
    const mailbox = readMailbox(text)
    if (mailbox !== null) mailboxes.push(mailbox)
    else {
      const path = typeof value === 'string' ? field : `${field}.${index}`
      refuse(path, `The ${path} field must be a valid email address.`)
    }
  }
  return mailboxes
}

export function readFrom(text: string | undefined, refuse: Refuse): Mailbox | null {
  if (text === undefined || text === '') {
    refuse('from', 'The from field is required.')
    return null
  }
  const mailbox = readMailbox(unfoldName(text))
  if (mailbox === null) refuse('from', 'The from field must be a valid email address.')
  return mailbox
}

/**
 * Parses a mailbox, whose name may be written in encoded words (RFC 2047). Its address may not. Words that hide what a
 * name must not contain stay text.
 */
function readMailbox(text: string): Mailbox | null {
  const mailbox = parseMailbox(text)
  if (mailbox === null || !mailbox.name.includes('=?')) return mailbox
  const name = readWords(mailbox.name)
  return isDisplayName(name) && isDisplayName(decodeJoinedWords(mailbox.name))
    ? { ...mailbox, name }
    : mailbox
}

/** Removes repeated addresses: the first of to, cc and bcc keeps the recipient. */
function distinctRecipients(to: Mailbox[], cc: Mailbox[], bcc: Mailbox[]): Recipient[] {
  const recipients = new Map<string, Recipient>()
  const add = (kind: Recipient['kind'], mailboxes: Mailbox[]) => {
    for (const mailbox of mailboxes) {
      const key = suppressionKey(mailbox.address)
      if (!recipients.has(key)) recipients.set(key, { kind, mailbox, key })
    }
  }
  add('to', to)
  add('cc', cc)
  add('bcc', bcc)
  return [...recipients.values()]
}

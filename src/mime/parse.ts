import PostalMime, { type Address, type Email } from 'postal-mime'

interface ReadAttachment {
  filename: string | null
  contentType: string
  /** Without angle brackets. */
  contentId: string | null
  size: number
  content: Buffer
}

/** What a stored message says, decoded. Line ends are LF. */
export interface ReadMessage {
  messageId: string | null
  subject: string | null
  from: ReadMailbox[]
  to: ReadMailbox[]
  cc: ReadMailbox[]
  replyTo: ReadMailbox[]
  html: string | null
  text: string | null
  /** In their order, names as written, values unfolded but not decoded. */
  headers: [string, string][]
  attachments: ReadAttachment[]
}

interface ReadMailbox {
  name: string
  address: string
}

const OUR_BOUNDARY = /boundary="?(=_[0-9a-f-]{36})_[amr]/
const TEXT_PART = /^content-type: *text\/(plain|html)/im
const BASE64_PART = /^content-transfer-encoding: *base64/im
const ATTACHED_PART = /^content-disposition: *attachment/im

/**
 * Reads a message back into its parts. What `buildMessage` was given comes out again (line ends as LF). Rejects when
 * the message is nested or its header is long beyond reason.
 */
export async function readMessage(bytes: Buffer): Promise<ReadMessage> {
  const email = await PostalMime.parse(bytes, { forceRfc822Attachments: true })
  const base64Texts = findBase64Texts(bytes)
  return {
    messageId: email.messageId?.replace(/^<|>$/g, '') ?? null,
    subject: email.subject ?? null,
    from: mailboxes(email.from === undefined ? undefined : [email.from]),
    to: mailboxes(email.to),
    cc: mailboxes(email.cc),
    replyTo: mailboxes(email.replyTo),
    html: bodyText(email.html, base64Texts.has('html')),
    text: bodyText(email.text, base64Texts.has('plain')),
    headers: email.headers.map(({ originalKey, value }) => [originalKey, value]),
    attachments: attachments(email),
  }
}

/** The parser ends every line of 7-bit and quoted-printable text with a line break, also the last one; base64 it leaves alone. */
function bodyText(text: string | undefined, isBase64: boolean): string | null {
  if (text === undefined) return null
  const lines = text.replaceAll('\r\n', '\n')
  return isBase64 || !lines.endsWith('\n') ? lines : lines.slice(0, -1)
}

/** Which text parts (`plain`, `html`) are base64. The boundaries of our own messages are random, so no body holds one by chance. */
function findBase64Texts(bytes: Buffer): Set<string> {
  const found = new Set<string>()
  const header = bytes.toString('latin1', 0, headerEnd(bytes, 0))
  noteBase64Text(header, found)
  const boundary = OUR_BOUNDARY.exec(header)?.[1]
  if (boundary === undefined) return found
  const mark = `--${boundary}_`
  for (let at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, at + mark.length)) {
    noteBase64Text(bytes.toString('latin1', at, headerEnd(bytes, at)), found)
  }
  return found
}

function headerEnd(bytes: Buffer, start: number): number {
  const end = bytes.indexOf('\r\n\r\n', start)
  return end < 0 ? bytes.length : end
}

function noteBase64Text(header: string, found: Set<string>): void {
  const subtype = TEXT_PART.exec(header)?.[1]
  if (subtype === undefined || ATTACHED_PART.test(header)) return
  if (BASE64_PART.test(header)) found.add(subtype.toLowerCase())
}

function mailboxes(addresses: Address[] | undefined): ReadMailbox[] {
  return (addresses ?? []).flatMap(
    (address) => address.group ?? [{ name: address.name, address: address.address }],
  )
}

function attachments(email: Email): ReadAttachment[] {
  return email.attachments.map((attachment) => {
    const content = Buffer.from(attachment.content as ArrayBuffer)
    return {
      filename: attachment.filename,
      contentType: attachment.mimeType,
      contentId: attachment.contentId?.replace(/^<|>$/g, '') ?? null,
      size: content.length,
      content,
    }
  })
}

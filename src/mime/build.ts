import { randomUUID } from 'node:crypto'
import { freeOctets } from '../lib/octets.ts'
import type { Mailbox } from './address.ts'
import { encodeBase64 } from './base64.ts'
import { customField } from './custom-field.ts'
import {
  addressField,
  anyNeedsSmtpUtf8,
  encodeWords,
  foldTokens,
  parameterField,
  parameterTokens,
  splitAtSpaces,
  textField,
} from './header.ts'
import { checkHeader } from './header-name.ts'
import { encodeText } from './transfer-encoding.ts'

export interface Attachment {
  /** As `cleanFilename` returned it. */
  filename: string
  /** As `checkContentType` returned it. */
  contentType: string
  /** Printable ASCII without angle brackets; the caller checks this. Null if the HTML does not show the attachment. */
  contentId: string | null
  content: Buffer
}

/** The content of a message. There is no field for Bcc, so that no part of it can reach a copy. */
export interface MessageDraft {
  /** Without angle brackets. */
  messageId: string
  date: Date
  from: Mailbox
  to: readonly Mailbox[]
  cc: readonly Mailbox[]
  replyTo: readonly Mailbox[]
  subject: string
  html: string | null
  text: string | null
  /** Names and values accepted by `checkHeader`. */
  headers: readonly (readonly [string, string])[]
  attachments: readonly Attachment[]
}

export interface BuiltMessage {
  bytes: Buffer
  /** True when only a server with SMTPUTF8 (RFC 6531) may get it. */
  smtpUtf8: boolean
  /** True when no line begins with a dot, so that the bytes are their wire form (RFC 5321 section 4.5.2). */
  isWireReady: boolean
}

/** Strings are ASCII except in the header of a message with `smtpUtf8`. */
type Chunk = string | Buffer

/** A MIME entity (RFC 2045 section 2.4): its Content-* fields and its body, which ends without CRLF. */
interface Entity {
  fields: string
  body: Chunk[]
}

/**
 * Builds the finished message: CRLF only, no line over 998 octets, every singleton field once, 7-bit except for the
 * header of a message with `smtpUtf8`. The same draft gives different bytes each time, because boundaries are random
 * (RFC 2046 section 5.1.1). Throws for a custom header that `checkHeader` rejects, because acceptance must have checked
 * it.
 */
export function buildMessage(draft: MessageDraft): BuiltMessage {
  const smtpUtf8 = anyNeedsSmtpUtf8([draft.from], draft.to, draft.cc, draft.replyTo)
  const entity = bodyEntity(draft)
  const chunks = [`${headerFields(draft, smtpUtf8)}${entity.fields}\r\n`, ...entity.body, '\r\n']
  // The encodings escape dots; text without an encoding may begin a line with one.
  const isWireReady = !chunks.some((chunk) => typeof chunk === 'string' && DOT_AT_START.test(chunk))
  return { bytes: joinChunks(chunks, smtpUtf8 ? 'utf8' : 'latin1'), smtpUtf8, isWireReady }
}

const DOT_AT_START = /(?:^|\n)\./

/** Joins chunks, and frees each large buffer as soon as it is copied. */
function joinChunks(chunks: readonly Chunk[], charset: 'utf8' | 'latin1'): Buffer {
  const length = chunks.reduce((sum, chunk) => sum + Buffer.byteLength(chunk, charset), 0)
  const joined = Buffer.allocUnsafeSlow(length)
  let at = 0
  for (const chunk of chunks) {
    if (typeof chunk === 'string') at += joined.write(chunk, at, charset)
    else {
      at += chunk.copy(joined, at)
      if (chunk.buffer !== workspace.buffer) freeOctets(chunk)
    }
  }
  return joined
}

/** RFC 5322 section 3.3; toUTCString has the same form except for the zone. */
export function formatDate(date: Date): string {
  return date.toUTCString().replace('GMT', '+0000')
}

function headerFields(draft: MessageDraft, utf8: boolean): string {
  let fields = addressField('From', [draft.from], utf8)
  // RFC 5322 section 3.4 allows an empty group. Some receivers reject a message without To.
  fields += draft.to.length > 0 ? addressField('To', draft.to, utf8) : 'To: undisclosed-recipients:;\r\n'
  if (draft.cc.length > 0) fields += addressField('Cc', draft.cc, utf8)
  if (draft.replyTo.length > 0) fields += addressField('Reply-To', draft.replyTo, utf8)
  fields += textField('Subject', draft.subject, utf8)
  fields += `Date: ${formatDate(draft.date)}\r\nMessage-ID: <${draft.messageId}>\r\n`
  for (const [name, value] of draft.headers) {
    const rejected = checkHeader(name, value)
    if (rejected !== null) {
      throw new Error(`Acceptance let a forbidden header through: ${name} (${rejected.problem}).`)
    }
    fields += customField(name, value, utf8) ?? ''
  }
  return `${fields}MIME-Version: 1.0\r\n`
}

/**
 * multipart/mixed (multipart/related (multipart/alternative (text, html), inline ...), attached ...), each only where
 * needed.
 */
function bodyEntity(draft: MessageDraft): Entity {
  const boundary = `=_${randomUUID()}`
  const texts = textEntities(draft)
  let entity = texts.length === 1 ? (texts[0] as Entity) : multipart('alternative', `${boundary}_a`, texts)
  if (draft.attachments.length === 0) return entity
  const isInline = (attachment: Attachment) => attachment.contentId !== null && draft.html !== null
  const inline = draft.attachments.filter(isInline)
  if (inline.length > 0) {
    const parts = inline.map((attachment) => attachmentEntity(attachment, 'inline'))
    entity = multipart('related', `${boundary}_r`, [entity, ...parts])
  }
  const attached = draft.attachments.filter((attachment) => !isInline(attachment))
  if (attached.length === 0) return entity
  const parts = attached.map((attachment) => attachmentEntity(attachment, 'attachment'))
  return multipart('mixed', `${boundary}_m`, [entity, ...parts])
}

/** Holds the encoded texts of the message that is being built. */
const workspace = Buffer.allocUnsafeSlow(256 * 1024)

/** Returns the text entities. Empty text beside HTML omits the text part. */
function textEntities({ text, html }: MessageDraft): Entity[] {
  const hasText = text !== null && (text !== '' || html === null)
  const hasHtml = html !== null && (html !== '' || !hasText)
  const entities = hasText || !hasHtml ? [textEntity('plain', text ?? '', workspace)] : []
  const usedOctets = entities[0]?.body[0]?.length ?? 0
  if (hasHtml) entities.push(textEntity('html', html, workspace.subarray(usedOctets)))
  return entities
}

function textEntity(subtype: 'plain' | 'html', text: string, workspace: Buffer): Entity {
  const { encoding, body } = encodeText(text, workspace)
  return {
    fields: `Content-Type: text/${subtype}; charset=utf-8\r\nContent-Transfer-Encoding: ${encoding}\r\n`,
    body: [body],
  }
}

function attachmentEntity(attachment: Attachment, disposition: 'inline' | 'attachment'): Entity {
  // Readers show inline text as part of the body, so only what HTML can refer to is inline.
  const shown = attachment.contentType.startsWith('text/') ? 'attachment' : disposition
  let fields = foldTokens('Content-Type', typeTokens(attachment))
  fields += 'Content-Transfer-Encoding: base64\r\n'
  fields += parameterField('Content-Disposition', shown, 'filename', attachment.filename)
  if (attachment.contentId !== null) fields += `Content-ID: <${attachment.contentId}>\r\n`
  return { fields, body: [encodeBase64(attachment.content)] }
}

/** Old mail programs do not read `filename*=`, but an encoded word as the name of the type. */
function typeTokens({ contentType, filename }: Attachment): string[] {
  const isPlain = parameterTokens('filename', filename)[0]?.startsWith('filename="') ?? true
  return splitAtSpaces(isPlain ? contentType : `${contentType}; name="${encodeWords(filename).join(' ')}"`)
}

/** RFC 2046 section 5.1.1. `=_` occurs in neither quoted-printable nor base64 (RFC 2045 section 6.7). */
function multipart(
  kind: 'mixed' | 'related' | 'alternative',
  boundary: string,
  parts: readonly Entity[],
): Entity {
  const body: Chunk[] = []
  for (const part of parts) body.push(`--${boundary}\r\n${part.fields}\r\n`, ...part.body, '\r\n')
  body.push(`--${boundary}--`)
  // RFC 2387 section 3.1 requires the type of the root part.
  const type = kind === 'related' ? ` type="${mediaType(parts[0] as Entity)}";` : ''
  return { fields: `Content-Type: multipart/${kind};${type}\r\n boundary="${boundary}"\r\n`, body }
}

function mediaType(entity: Entity): string {
  return entity.fields.slice('Content-Type: '.length, entity.fields.indexOf(';'))
}

import type { Sendwright } from './client.ts'
import { type Call, SendwrightError } from './result.ts'
import type { AcceptedEmail, Attachment, SendEmail } from './types.ts'

/** What Sendwright accepted of one `sendMail`. */
export interface SentMail {
  /** The id of the email; the first one, if each recipient has its own. */
  messageId: string
  /** The ids of the emails: one, or one for each recipient of a raw message. */
  ids: string[]
  envelope: Envelope
  accepted: string[]
  rejected: string[]
  response: string
}

/** A transport of Nodemailer. */
export interface SendwrightTransport {
  name: string
  version: string
  send(mail: Mail, callback: (error: Error | null, info: SentMail) => void): void
}

/** The fields of `sendMail` that only Sendwright knows: `sendMail({ ..., sendwright: { tags } })`. */
export type SendwrightFields = Pick<SendEmail, 'tags' | 'scheduled_at' | 'class' | 'unsubscribe'> & {
  idempotencyKey?: string
}

/**
 * Returns a transport for `nodemailer.createTransport`. A mail with several recipients is one email. Calendar events,
 * alternatives, AMP, raw mails and mails with their own envelope are sent as built by Nodemailer, to each recipient
 * separately. Of the fields of Sendwright, these mails take `class` and `idempotencyKey`: the others are an error.
 */
export function sendwrightTransport(client: Sendwright): SendwrightTransport {
  return {
    name: 'sendwright',
    version: '1',
    send(mail, callback) {
      deliver(client, mail).then(
        (info) => callback(null, info),
        (error) => callback(error, undefined as never),
      )
    },
  }
}

interface Envelope {
  from: string | false
  to: string[]
}

interface Address {
  name?: string
  address: string
}

/** The part of Nodemailer's MailMessage that the transport uses. */
interface Mail {
  // biome-ignore lint/suspicious/noExplicitAny: the types of Nodemailer are an optional package
  data: any
  message: { getEnvelope(): Envelope; build(): Promise<Uint8Array> } | object
  normalize(callback: (error: Error | null, fields: never) => void): void
}

interface Fields {
  from?: Address
  to?: Address[]
  cc?: Address[]
  bcc?: Address[]
  replyTo?: Address[]
  subject?: string
  html?: string
  text?: string
  priority?: string
  attachments?: {
    filename?: string | false
    content?: string
    contentType?: string
    cid?: string
    encoding?: string
  }[]
  normalizedHeaders?: Record<string, string>
}

/** Content that has no field in the API. */
const BUILT_FIELDS = ['raw', 'icalEvent', 'alternatives', 'amp', 'watchHtml', 'envelope', 'dkim']

async function deliver(client: Sendwright, mail: Mail): Promise<SentMail> {
  const message = mail.message as { getEnvelope(): Envelope; build(): Promise<Uint8Array> }
  const envelope = message.getEnvelope()
  const builtField = BUILT_FIELDS.find((field) => mail.data[field])
  if (builtField !== undefined) {
    refuseUnsupported(mail.data.sendwright ?? {}, builtField)
    return deliverBuilt(client, mail, message, envelope)
  }
  const { idempotencyKey, ...own } = (mail.data.sendwright ?? {}) as SendwrightFields
  const fields = await new Promise<Fields>((resolve, reject) => {
    mail.normalize((error, data) => (error === null ? resolve(data) : reject(error)))
  })
  const email = { ...toEmail(fields), ...own }
  const { id } = await client.emails
    .send(email, idempotencyKey === undefined ? {} : { idempotencyKey })
    .orThrow()
  return report([id], envelope, envelope.to, [])
}

/** The fields of Sendwright that `POST /emails/mime` takes. */
const BUILT_OWN_FIELDS = ['class', 'idempotencyKey']

/** Throws SendwrightError for fields that would have no effect: a scheduled mail would be sent at once. */
function refuseUnsupported(own: object, builtField: string): void {
  const names = Object.entries(own)
    .filter(([name, value]) => !BUILT_OWN_FIELDS.includes(name) && !isEmpty(value))
    .map(([name]) => `sendwright.${name}`)
    .join(', ')
  if (names === '') return
  throw new SendwrightError({
    name: 'invalid_request',
    message: `A mail with ${builtField} is sent as built by Nodemailer, without ${names}. Remove ${builtField}, or ${names}.`,
  })
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0)
}

/** Throws the first error if no recipient was accepted. */
async function deliverBuilt(
  client: Sendwright,
  { data }: Mail,
  message: { build(): Promise<Uint8Array> },
  envelope: Envelope,
): Promise<SentMail> {
  const raw_message = decode(await message.build())
  const { idempotencyKey, class: mailClass } = (data.sendwright ?? {}) as SendwrightFields
  const sendTo = (envelope_to: string): Call<AcceptedEmail> =>
    client.emails.sendMime(
      { envelope_from: String(envelope.from), envelope_to, raw_message, class: mailClass ?? null },
      // A blank key is none: otherwise all mails to a recipient would share `/recipient`.
      idempotencyKey?.trim() ? { idempotencyKey: `${idempotencyKey}/${envelope_to}` } : {},
    )
  const results = await Promise.all(envelope.to.map(sendTo))
  const ids = results.flatMap(({ data }) => (data === null ? [] : [data.id]))
  if (ids.length === 0) throw results[0]?.error ?? new Error('The mail has no recipient.')
  const isAccepted = (_: string, index: number) => results[index]?.error === null
  const accepted = envelope.to.filter(isAccepted)
  return report(
    ids,
    envelope,
    accepted,
    envelope.to.filter((address) => !accepted.includes(address)),
  )
}

/** Throws SendwrightError if a raw mail, or a part with the transfer encoding 8bit, is not UTF-8: JSON has no other text. */
function decode(built: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(built)
  } catch (cause) {
    throw new SendwrightError({
      name: 'invalid_request',
      message: 'The mail as built is not UTF-8. Encode its parts as quoted-printable or base64.',
      cause,
    })
  }
}

function report(ids: string[], envelope: Envelope, accepted: string[], rejected: string[]): SentMail {
  return { messageId: ids[0] ?? '', ids, envelope, accepted, rejected, response: 'accepted by Sendwright' }
}

function toEmail(fields: Fields): SendEmail {
  const { from, to = [], cc = [], bcc = [], replyTo = [], subject, html, text } = fields
  const headers = { ...priorityHeaders(fields.priority), ...fields.normalizedHeaders }
  return {
    from: from === undefined ? null : write(from),
    to: to.map(write),
    cc: cc.map(write),
    bcc: bcc.map(write),
    reply_to: replyTo.map(write),
    subject: subject ?? '',
    html: html ?? null,
    text: text ?? null,
    headers,
    attachments: (fields.attachments ?? []).map(toAttachment),
  }
}

/** Writes a display name as a quoted string (RFC 5322 section 3.2.4). */
function write({ name, address }: Address): string {
  return name ? `"${name.replace(/["\\]/g, '\\$&')}" <${address}>` : address
}

/** As Nodemailer writes them itself. */
function priorityHeaders(priority: string | undefined): Record<string, string> {
  if (priority === 'high')
    return { 'X-Priority': '1 (Highest)', 'X-MSMail-Priority': 'High', Importance: 'High' }
  if (priority === 'low') return { 'X-Priority': '5 (Lowest)', 'X-MSMail-Priority': 'Low', Importance: 'Low' }
  return {}
}

type File = NonNullable<Fields['attachments']>[number]

function toAttachment({ filename, content = '', contentType, cid, encoding }: File): Attachment {
  return {
    ...(filename ? { filename } : { filename: 'attachment' }),
    ...(contentType === undefined ? {} : { content_type: contentType }),
    ...(cid === undefined ? {} : { content_id: cid }),
    content: encoding === 'base64' ? content : new TextEncoder().encode(content),
  }
}

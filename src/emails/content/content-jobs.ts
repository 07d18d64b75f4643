import { OctetsText, toJsonPieces } from '../../lib/text/json-pieces.ts'
import { type BuiltMessage, buildMessage, type MessageDraft } from '../../mime/build.ts'
import { decodeMessage, type Encoding, encodeMessage } from '../../mime/encoding.ts'
import { textFromHtml } from '../../mime/html/text-from-html.ts'
import { isProblem } from '../../mime/raw/message-problem.ts'
import {
  openAttachments,
  parseAttachments,
  parseHeader,
  type ReadTexts,
  readTexts,
} from '../../mime/raw/parse.ts'
import { type Missing, type RawMessage, repairRawMessage } from '../../mime/raw/raw-message.ts'
import { type TrackedVisit, type Tracking, trackHtml, untrackHtml } from '../../tracking/track-links.ts'
import { orderAttachments } from '../files/message-attachments.ts'
import type { Idempotency } from '../idempotency/idempotency-key.ts'
import { isForService, readMessageIdempotency } from '../request/submission-fields.ts'
import type { AttachmentRecord } from '../rows/emails-queries.ts'
import { type EntryPoint, messageError } from '../validate/message-problems.ts'

export interface StoredContent {
  encoding: Encoding
  message: Buffer
}

export interface Stored {
  stored: { encoding: Encoding; bytes: Buffer }
}

type EmailRef = Pick<TrackedVisit, 'teamId' | 'emailId'>
/** Identifies the email whose tracking links are removed from its html. */
export interface Untracking {
  key: Buffer
  email: EmailRef
}

/** The jobs by name. Each is pure: its result depends only on its arguments. */
export const CONTENT_JOBS = {
  /**
   * Throws ApiError for a message that is rejected.
   * @param entryPoint where the message arrived: submitted messages have header fields for the service itself
   */
  async repair(job: {
    given: string | Buffer
    missing: Missing
    entryPoint: EntryPoint
  }): Promise<RawMessage & Stored> {
    const { given, missing, entryPoint } = job
    const options = entryPoint === 'submission' ? { isTaken: isForService, isMended: true } : {}
    const repaired = repairRawMessage(given, missing, options)
    if (isProblem(repaired)) throw messageError(repaired, entryPoint)
    return { ...repaired, stored: await encodeMessage(repaired.bytes) }
  },

  /** Returns the Idempotency-Key of a submitted message and the hash to compare it by. */
  messageKey({ given, recipients }: { given: Buffer; recipients: readonly string[] }): Idempotency | null {
    return readMessageIdempotency(given, recipients)
  },

  /** @param derivesText whether to derive the text part, from `html` if given, else from the draft's html */
  async build(job: {
    draft: MessageDraft
    derivesText: boolean
    html: string | null
  }): Promise<BuiltMessage & Stored> {
    const { draft, derivesText } = job
    const html = job.html ?? draft.html
    const derived = derivesText && html !== null ? textFromHtml(html) : draft.text
    const text = derived === '' && draft.html !== null ? null : derived
    const message = buildMessage({ ...draft, text })
    return { ...message, stored: await encodeMessage(message.bytes) }
  },

  track(job: {
    key: Buffer
    html: string
    tracking: Tracking
    email: EmailRef & { no: number | null }
  }): string {
    return trackHtml(job.key, job.html, job.tracking, job.email)
  },

  /** Returns the html and text of a stored message. */
  async texts({
    stored,
    untracking,
  }: {
    stored: StoredContent
    untracking: Untracking | null
  }): Promise<ReadTexts> {
    const { html, text } = readTexts(await decodeStored(stored))
    if (html === null || untracking === null) return { html, text }
    return { html: untrackHtml(untracking.key, html, untracking.email), text }
  },

  /** Returns the JSON of one object: `before`, the message's html and text, then `after`. */
  async emailJson(job: {
    before: object
    stored: StoredContent
    untracking: Untracking
    after: object
  }): Promise<Buffer[]> {
    const { before, stored, untracking, after } = job
    const { html, text } = await CONTENT_JOBS.texts({ stored, untracking })
    return toJsonPieces({ ...before, html, text, ...after })
  },

  /** Returns the JSON of one object: `before`, then the parts of the captured message. */
  capturedJson({ before, message }: { before: object; message: Buffer }): Buffer[] {
    return toJsonPieces(describeCaptured(before, message))
  },

  /** Returns one attachment of a stored message, or null if there is none at that index. */
  async attachment(job: {
    stored: StoredContent
    records: readonly AttachmentRecord[]
    index: number
  }): Promise<Buffer | null> {
    const attachments = openAttachments(await decodeStored(job.stored))
    return orderAttachments(job.records, attachments)?.[job.index]?.read() ?? null
  },
} as const

export type ContentJobs = typeof CONTENT_JOBS

function decodeStored({ encoding, message }: StoredContent): Promise<Buffer> {
  return decodeMessage(encoding, message)
}

function describeCaptured(before: object, message: Buffer): object {
  const header = parseHeader(message)
  return {
    ...before,
    from: header.from,
    to: header.to,
    subject: header.subject,
    cc: header.cc,
    reply_to: header.replyTo,
    ...readTexts(message),
    headers: header.headers.map(([name, value]) => ({ name, value })),
    attachments: parseAttachments(message).map((attachment) => ({
      filename: attachment.filename,
      content_type: attachment.contentType,
      content_id: attachment.contentId,
      size: attachment.size,
      content: new OctetsText(attachment.content, 'base64'),
    })),
    raw: new OctetsText(message, 'latin1'),
  }
}

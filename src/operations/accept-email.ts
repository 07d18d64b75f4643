import type { Clock } from '../base/clock.ts'
import { newId } from '../base/ids.ts'
import { invalidField } from '../base/refusal.ts'
import { buildMessage } from '../mime/build.ts'
import { encodeMessage } from '../mime/encoding.ts'
import { textFromHtml } from '../mime/text-from-html.ts'
import type { Acceptance, Submission } from './accept-batch.ts'
import { type Draft, draftEmail, type SendRequest } from './draft-email.ts'
import type { FetchFile } from './fetch-file.ts'
import { readAttachments } from './read-attachments.ts'

/** Who submits an email, as far as acceptance cares. */
export interface Submitter {
  teamId: string
  /** Set: may send from this domain only. */
  domainId: string | null
}

/**
 * Takes responsibility for one email: when this resolves, it is committed and ours to deliver.
 * Throws a Refusal for anything that the caller can mend, DatabaseUnavailable when nothing could be accepted.
 * @returns the email's id
 */
export type AcceptEmail = (
  request: SendRequest,
  submitter: Submitter,
  idempotency: Submission['idempotency'],
) => Promise<string>

const MESSAGE_BYTES_MAX = 37_500_000

export function createAcceptEmail(deps: {
  clock: Clock
  fetchFile: FetchFile
  commit: (submission: Submission) => Promise<Acceptance>
}): AcceptEmail {
  return async (request, submitter, idempotency) => {
    const draft = draftEmail(request, deps.clock.now())
    const composed = await compose(draft, deps.fetchFile, deps.clock.now())
    const { emailId } = await deps.commit({ ...composed, draft, submitter, idempotency })
    return emailId
  }
}

/** Builds the message once, at acceptance: what is sent later is what was accepted. */
async function compose(draft: Draft, fetchFile: FetchFile, createdAt: Date) {
  const attachments = await readAttachments(draft.attachments, fetchFile)
  const emailId = newId(createdAt.getTime())
  const messageId = `${emailId}@${draft.from.domain}`
  // `text: ""` opts out of the derived part.
  const text = draft.text ?? (draft.html === null ? null : textFromHtml(draft.html))
  const { bytes, smtpUtf8 } = buildMessage({
    messageId,
    date: draft.scheduledAt ?? createdAt,
    from: draft.from,
    to: draft.to,
    cc: draft.cc,
    replyTo: draft.replyTo,
    subject: draft.subject,
    html: draft.html,
    text: text === '' && draft.html !== null ? null : text,
    headers: draft.headers,
    attachments,
  })
  if (bytes.length > MESSAGE_BYTES_MAX) {
    throw invalidField(
      attachments.length > 0 ? 'attachments' : 'html',
      `The built message must not be greater than ${MESSAGE_BYTES_MAX} bytes.`,
    )
  }
  const stored = await encodeMessage(bytes)
  return {
    emailId,
    messageId,
    createdAt,
    message: { bytes, smtpUtf8 },
    stored,
    attachments: attachments.map((attachment) => ({
      filename: attachment.filename,
      content_type: attachment.contentType,
      content_id: attachment.contentId,
      size: attachment.content.length,
    })),
  }
}

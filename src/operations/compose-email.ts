import { newId } from '../base/ids.ts'
import { invalidField } from '../base/refusal.ts'
import { buildMessage } from '../mime/build.ts'
import { encodeMessage } from '../mime/encoding.ts'
import { textFromHtml } from '../mime/text-from-html.ts'
import type { Submission } from './accept-batch.ts'
import type { Draft } from './draft-email.ts'
import type { FetchFile } from './fetch-file.ts'
import { readAttachments } from './read-attachments.ts'

/** The largest message that is taken, in bytes. */
export const MESSAGE_BYTES_MAX = 37_500_000

/**
 * Builds the message once, at acceptance: what is sent later is what was accepted. Throws a validation Refusal for
 * attachments that cannot be read or a message that is too large.
 */
export async function composeEmail(
  draft: Draft,
  fetchFile: FetchFile,
  createdAt: Date,
): Promise<Omit<Submission, 'template'>> {
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
  return {
    emailId,
    messageId,
    createdAt,
    from: draft.from,
    senderDomains: [{ name: draft.from.domain, field: 'from' }],
    recipients: draft.recipients,
    addressees: draft.addressees,
    subject: draft.subject,
    headers: draft.headers,
    tags: draft.tags,
    scheduledAt: draft.scheduledAt,
    message: { bytes, smtpUtf8 },
    stored: await encodeMessage(bytes),
    attachments: attachments.map((attachment) => ({
      filename: attachment.filename,
      content_type: attachment.contentType,
      content_id: attachment.contentId,
      size: attachment.content.length,
    })),
  }
}

import { newId } from '../base/ids.ts'
import { invalidField } from '../base/refusal.ts'
import { buildMessage } from '../mime/build.ts'
import { encodeMessage } from '../mime/encoding.ts'
import { textFromHtml } from '../mime/text-from-html.ts'
import type { Submission } from './accept-batch.ts'
import type { Draft } from './draft-email.ts'
import type { FetchFile } from './fetch-file.ts'
import { readAttachments } from './read-attachments.ts'
import type { Track } from './tracking/tracker.ts'
import type { UnsubscribeHeaders } from './unsubscribe-links.ts'

/** The largest message that is taken, in bytes. */
export const MESSAGE_BYTES_MAX = 37_500_000

/** What building a message asks of others. */
export interface ComposeTools {
  teamId: string
  fetchFile: FetchFile
  unsubscribeHeaders: UnsubscribeHeaders
  track: Track
}

/**
 * Builds the message once, at acceptance: what is sent later is what was accepted. Throws a validation Refusal for
 * attachments that cannot be read or a message that is too large.
 */
export async function composeEmail(
  { teamId, fetchFile, unsubscribeHeaders, track }: ComposeTools,
  draft: Draft,
  createdAt: Date,
): Promise<Omit<Submission, 'template'>> {
  const attachments = await readAttachments(draft.attachments, fetchFile)
  const emailId = newId(createdAt.getTime())
  const messageId = `${emailId}@${draft.from.domain}`
  const email = draft.recipients[0]?.key ?? ''
  const { unsubscribe: scope } = draft
  const added = scope === null ? [] : await unsubscribeHeaders({ teamId, emailId, scope, email })
  // `text: ""` opts out of the derived part.
  const text = draft.text ?? (draft.html === null ? null : textFromHtml(draft.html))
  // The text part was derived before: readers of text get the addresses that the email gives.
  const html = await trackDraft(track, draft, teamId, emailId)
  const { bytes, smtpUtf8 } = buildMessage({
    messageId,
    date: draft.scheduledAt ?? createdAt,
    from: draft.from,
    to: draft.to,
    cc: draft.cc,
    replyTo: draft.replyTo,
    subject: draft.subject,
    html,
    text: text === '' && draft.html !== null ? null : text,
    headers: [...draft.headers, ...added],
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
    unsubscribe: scope,
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

async function trackDraft(
  track: Track,
  { html, from, recipients }: Draft,
  teamId: string,
  emailId: string,
): Promise<string | null> {
  if (html === null) return null
  return track(html, from.domain, { teamId, emailId, no: recipients.length === 1 ? 0 : null })
}

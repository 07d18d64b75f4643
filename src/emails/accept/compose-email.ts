import { invalidField } from '../../lib/api-error.ts'
import { newId } from '../../lib/ids.ts'
import type { Attachment, MessageDraft } from '../../mime/build.ts'
import { workOnContent } from '../content/heavy-content.ts'
import type { Track } from '../content/tracker.ts'
import type { FetchFile } from '../files/fetch-file.ts'
import { readAttachments } from '../files/read-attachments.ts'
import type { Submission } from './accept-types.ts'
import type { Draft } from './draft-email.ts'
import type { UnsubscribeHeaders } from './unsubscribe-links.ts'

/** The largest accepted message, in bytes. */
export const MESSAGE_BYTES_MAX = 37_500_000

/** The dependencies of building a message. */
export interface ComposeTools {
  teamId: string
  fetchFile: FetchFile
  unsubscribeHeaders: UnsubscribeHeaders
  track: Track
}

/**
 * Builds the message once, at acceptance, so that exactly the accepted email is sent later. Throws a validation
 * ApiError for attachments that cannot be read or a message that is too large.
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
  const html = await trackDraft(track, draft, teamId, emailId)
  const message: MessageDraft = {
    messageId,
    date: draft.scheduledAt ?? createdAt,
    from: draft.from,
    to: draft.to,
    cc: draft.cc,
    replyTo: draft.replyTo,
    subject: draft.subject,
    html,
    text: draft.text,
    headers: [...draft.headers, ...added],
    attachments,
  }
  const { bytes, smtpUtf8, stored } = await workOnContent(
    'build',
    { teamId, sizeBytes: sizeOf(message) },
    {
      draft: message,
      // `text: ""` opts out of the derived text part.
      derivesText: draft.text === null,
      // The derived text shows the original links, not the tracked ones.
      html: html === draft.html ? null : draft.html,
    },
  )
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
    ...{ tags: draft.tags, scheduledAt: draft.scheduledAt, isBulk: draft.isBulk },
    unsubscribe: scope,
    message: { bytes, smtpUtf8 },
    stored,
    attachments: attachments.map(describeAttachment),
  }
}

function describeAttachment({ filename, contentType, contentId, content }: Attachment) {
  return { filename, content_type: contentType, content_id: contentId, size: content.length }
}

/** Approximates the size of the message by its parts before encoding. */
function sizeOf({ html, text, attachments }: MessageDraft): number {
  const files = attachments.reduce((sum, { content }) => sum + content.length, 0)
  return (html?.length ?? 0) + (text?.length ?? 0) + files
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

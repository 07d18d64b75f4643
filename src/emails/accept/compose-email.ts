import { invalidField } from '../../lib/api-error.ts'
import { newId } from '../../lib/ids.ts'
import type { Attachment, MessageDraft } from '../../mime/build.ts'
import { workOnContent } from '../content/heavy-content.ts'
import type { Track } from '../content/tracker.ts'
import type { FetchFile } from '../files/fetch-file.ts'
import { readAttachments } from '../files/read-attachments.ts'
import type { Draft } from '../request/draft-email.ts'
import type { Submission, Submitter } from './accept-types.ts'
import { type KnownMessageIds, readOwnMessageId, referToSent, withOriginalId } from './message-ids.ts'
import type { UnsubscribeHeaders } from './unsubscribe-links.ts'
import type { TakenIds } from './with-current.ts'

/** The largest accepted message, in bytes. */
export const MESSAGE_BYTES_MAX = 37_500_000

/** The dependencies of building a message. */
export interface ComposeTools {
  submitter: Submitter
  takenIds: TakenIds
  messageIds: KnownMessageIds
  fetchFile: FetchFile
  unsubscribeHeaders: UnsubscribeHeaders
  track: Track
  /** The id of the email, if its content has a link that contains it. */
  emailId?: string
}

/**
 * Builds the message once, at acceptance, so that exactly the accepted email is sent later. Throws a validation
 * ApiError for attachments that cannot be read or a message that is too large.
 */
export async function composeEmail(
  tools: ComposeTools,
  draft: Draft,
  createdAt: Date,
): Promise<Omit<Submission, 'template'>> {
  const { fetchFile, unsubscribeHeaders, track } = tools
  const { teamId } = tools.submitter
  const attachments = await readAttachments(draft.attachments, fetchFile)
  const emailId = tools.emailId ?? newId(createdAt.getTime())
  const { headers, ...ids } = await settleIds(tools, draft, emailId)
  const email = draft.recipients[0]?.key ?? ''
  const { unsubscribe: scope } = draft
  const added = scope === null ? [] : await unsubscribeHeaders({ teamId, emailId, scope, email })
  const html = await trackDraft(track, draft, teamId, emailId)
  const message: MessageDraft = {
    messageId: ids.messageId,
    date: draft.scheduledAt ?? createdAt,
    from: draft.from,
    to: draft.to,
    cc: draft.cc,
    replyTo: draft.replyTo,
    subject: draft.subject,
    html,
    text: draft.text,
    headers: [...headers, ...added],
    attachments,
  }
  const { stored, ...built } = await build(teamId, message, draft)
  return {
    emailId,
    ...ids,
    createdAt,
    from: draft.from,
    senderDomains: [{ name: draft.from.domain, field: 'from' }],
    recipients: draft.recipients,
    addressees: draft.addressees,
    subject: draft.subject,
    headers,
    tags: draft.tags,
    scheduledAt: draft.scheduledAt,
    isBulk: draft.isBulk,
    unsubscribe: scope,
    message: built,
    stored,
    attachments: attachments.map(describeAttachment),
  }
}

async function build(teamId: string, message: MessageDraft, { html, text }: Draft) {
  const result = await workOnContent(
    'build',
    { teamId, sizeBytes: sizeOf(message) },
    {
      draft: message,
      // `text: ""` opts out of the derived text part.
      derivesText: text === null,
      // The derived text shows the original links, not the tracked ones.
      html: message.html === html ? null : html,
    },
  )
  if (result.bytes.length > MESSAGE_BYTES_MAX) {
    throw invalidField(
      message.attachments.length > 0 ? 'attachments' : 'html',
      `The built message must not be greater than ${MESSAGE_BYTES_MAX} bytes.`,
    )
  }
  return result
}

/** Returns the email's Message-ID, and its custom header fields with the Message-IDs that recipients know. */
async function settleIds(
  { submitter, takenIds, messageIds }: ComposeTools,
  { messageId: original, headers, from }: Draft,
  emailId: string,
): Promise<Pick<Submission, 'messageId' | 'ownMessageId' | 'headers'>> {
  const candidate = readOwnMessageId(original, takenIds)
  // The commit checks the sender's domain anyway. Looking up another one costs less than building the email twice.
  const isAllowed =
    candidate !== null &&
    (candidate.domain === from.domain || (await messageIds.mayUse(submitter, candidate.domain)))
  const ownMessageId = isAllowed ? candidate : null
  if (ownMessageId !== null) takenIds.add(ownMessageId.id)
  const kept = ownMessageId !== null || original === null ? headers : withOriginalId(headers, original)
  return {
    ownMessageId,
    messageId: ownMessageId?.id ?? `${emailId}@${from.domain}`,
    headers: await referToSent(kept, (ids) => messageIds.findSent(submitter, ids)),
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

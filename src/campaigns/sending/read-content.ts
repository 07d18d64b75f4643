import type { Queryable } from '../../db/db-types.ts'
import { findSender, type Sender } from '../../domains/senders-queries.ts'
import { quotedMailbox } from '../../mime/address.ts'
import { findTemplate, type Template } from '../../templates/templates-queries.ts'
import type { Campaign } from '../rows/campaigns-queries.ts'
import type { VersionContent } from '../rows/runs-queries.ts'

/** What a campaign would send if it began now. */
export interface CurrentContent {
  /** Null if none was chosen. */
  sender: Sender | null
  /** Null if the campaign has its own content, or its template was deleted. */
  template: Template | null
  /** Fields that are missing are empty. */
  content: VersionContent
}

export async function readContent(db: Queryable, campaign: Campaign): Promise<CurrentContent> {
  const { teamId, senderId, templateId, previewText } = campaign
  const sender = senderId === null ? null : await findSender(db, teamId, senderId)
  const template = templateId === null ? null : await findTemplate(db, teamId, templateId)
  const { subject, html, text } = template ?? campaign
  const content = {
    sender: sender === null ? '' : quotedMailbox(sender.name, sender.email),
    replyTo: campaign.replyTo ?? template?.replyTo ?? sender?.replyTo ?? null,
    subject: subject ?? '',
    previewText,
    html,
    text,
    variables: template?.variables ?? [],
  }
  return { sender, template, content }
}

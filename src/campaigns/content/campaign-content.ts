import type { Queryable } from '../../db/db-types.ts'
import { findSender, type Sender } from '../../domains/senders-queries.ts'
import { findTemplate, type Template, type TemplateVariable } from '../../templates/templates-queries.ts'
import type { Campaign } from '../campaigns-queries.ts'

/** What a campaign sends, from its template or its own fields, as far as it is complete. */
export interface ShownContent {
  subject: string
  previewText: string | null
  html: string | null
  text: string | null
  variables: readonly TemplateVariable[]
}

/** The content of a campaign, with the records it comes from. */
export interface CampaignSource extends ShownContent {
  sender: Sender | null
  template: Template | null
  /** The reply address that the emails get, or null. */
  replyTo: string | null
}

/** Returns the content of a campaign as it is now. What is missing is empty or null. */
export async function readSource(db: Queryable, campaign: Campaign): Promise<CampaignSource> {
  const { teamId, senderId, templateId, previewText } = campaign
  const sender = senderId === null ? null : await findSender(db, teamId, senderId)
  const template = templateId === null ? null : await findTemplate(db, teamId, templateId)
  const { subject, html, text } = template ?? campaign
  return {
    ...{ sender, template, previewText, html, text },
    subject: subject ?? '',
    variables: template?.variables ?? [],
    replyTo: campaign.replyTo ?? template?.replyTo ?? sender?.replyTo ?? null,
  }
}

/** Returns the From of a sender. */
export function fromOf({ name, email }: Sender): string {
  return `"${name.replace(/[\\"]/g, '\\$&')}" <${email}>`
}

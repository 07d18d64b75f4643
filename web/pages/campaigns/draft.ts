import type { Campaign } from '../../api/records.ts'
import { type AudienceDraft, audienceDraftOf, changedAudience } from './audience-draft.ts'

/** The values of the form. Fields that the campaign does not have yet are empty. */
export interface CampaignDraft extends AudienceDraft {
  name: string
  sender_id: string
  content: 'template' | 'own'
  template_id: string
  subject: string
  html: string
  text: string
  preview_text: string
  reply_to: string
}

export function draftOf(campaign: Campaign): CampaignDraft {
  const { name, subject, html, text, template_id, audience } = campaign
  const hasOwn = subject !== null || html !== null || text !== null
  return {
    name,
    sender_id: campaign.sender_id ?? '',
    ...audienceDraftOf(audience),
    content: hasOwn ? 'own' : 'template',
    template_id: template_id ?? '',
    subject: subject ?? '',
    html: html ?? '',
    text: text ?? '',
    preview_text: campaign.preview_text ?? '',
    reply_to: campaign.reply_to ?? '',
  }
}

/**
 * Returns the request body for the API, with either a template or own content. It has what differs from the audience of the
 * campaign, but nothing of it once the campaign has begun: then it does not change.
 */
export function bodyOf(draft: CampaignDraft, campaign: Campaign): object {
  const isTemplate = draft.content === 'template'
  const audience = campaign.started_at === null ? changedAudience(draft, campaign.audience) : undefined
  return {
    name: draft.name,
    sender_id: orNull(draft.sender_id),
    ...(audience !== undefined && { audience }),
    template_id: isTemplate ? orNull(draft.template_id) : null,
    subject: isTemplate ? null : orNull(draft.subject),
    html: isTemplate ? null : orNull(draft.html),
    text: isTemplate ? null : orNull(draft.text),
    preview_text: orNull(draft.preview_text),
    reply_to: orNull(draft.reply_to),
  }
}

const orNull = (text: string) => (text === '' ? null : text)

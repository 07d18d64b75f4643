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

const CONTENT = ['content', 'template_id', 'subject', 'html', 'text'] as const

/**
 * Returns the request body for the API: what differs from the values that the form began with, so that it reverts nothing that
 * somebody else saved since. The content is one group, either a template or own content. Once the campaign has begun, its
 * audience does not change.
 */
export function bodyOf(draft: CampaignDraft, before: CampaignDraft, hasBegun: boolean): object {
  const isChanged = (field: keyof CampaignDraft) => draft[field] !== before[field]
  const audience = hasBegun ? undefined : changedAudience(draft, before)
  return {
    ...(isChanged('name') && { name: draft.name }),
    ...(isChanged('sender_id') && { sender_id: orNull(draft.sender_id) }),
    ...(audience !== undefined && { audience }),
    ...(CONTENT.some(isChanged) && contentOf(draft)),
    ...(isChanged('preview_text') && { preview_text: orNull(draft.preview_text) }),
    ...(isChanged('reply_to') && { reply_to: orNull(draft.reply_to) }),
  }
}

function contentOf({ content, template_id, subject, html, text }: CampaignDraft) {
  if (content === 'template')
    return { template_id: orNull(template_id), subject: null, html: null, text: null }
  return { template_id: null, subject: orNull(subject), html: orNull(html), text: orNull(text) }
}

const orNull = (text: string) => (text === '' ? null : text)

import type { Campaign } from '../../api/records.ts'

/** The values of the form. Fields that the campaign does not have yet are empty. */
export interface CampaignDraft {
  name: string
  sender_id: string
  audience: 'list' | 'segment'
  list_id: string
  segment_id: string
  content: 'template' | 'own'
  template_id: string
  subject: string
  html: string
  text: string
  preview_text: string
  reply_to: string
}

export function draftOf(campaign: Campaign): CampaignDraft {
  const { name, subject, html, text, template_id, segment_id } = campaign
  const hasOwn = subject !== null || html !== null || text !== null
  return {
    name,
    sender_id: campaign.sender_id ?? '',
    audience: segment_id === null ? 'list' : 'segment',
    list_id: campaign.list_id ?? '',
    segment_id: segment_id ?? '',
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
 * Returns the request body for the API: either a list or a segment, and either a template or own content. The audience of a
 * campaign that has begun does not change.
 */
export function bodyOf(draft: CampaignDraft, hasBegun: boolean): object {
  const isList = draft.audience === 'list'
  const isTemplate = draft.content === 'template'
  return {
    name: draft.name,
    sender_id: orNull(draft.sender_id),
    ...(!hasBegun && {
      list_id: isList ? orNull(draft.list_id) : null,
      segment_id: isList ? null : orNull(draft.segment_id),
    }),
    template_id: isTemplate ? orNull(draft.template_id) : null,
    subject: isTemplate ? null : orNull(draft.subject),
    html: isTemplate ? null : orNull(draft.html),
    text: isTemplate ? null : orNull(draft.text),
    preview_text: orNull(draft.preview_text),
    reply_to: orNull(draft.reply_to),
  }
}

const orNull = (text: string) => (text === '' ? null : text)

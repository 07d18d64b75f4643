import Type, { type Static } from 'typebox'
import { IdOrNull, TextOrNull, Timestamp, Uuid } from '../../http/route/schemas.ts'
import { formatTime } from '../../lib/time/format-time.ts'
import type { CampaignRecipient } from './recipient-list-queries.ts'

const STATES = ['waiting', 'accepted', 'skipped', 'failed'] as const
export const StateFilter = { state: Type.Optional(Type.Enum([...STATES], { description: 'By state.' })) }

const EXAMPLE = {
  object: 'campaign_recipient',
  id: '0198c0de-0000-7000-8000-0000000000c1',
  contact_id: '0198c0de-0000-7000-8000-0000000000c1',
  email: 'ann@customer.example',
  state: 'accepted',
  reason: null,
  email_id: '0198c0de-0000-7000-8000-0000000000e1',
  email_status: 'delivered',
  updated_at: '2026-03-20 08:00:02',
}

export const RecipientAnswer = Type.Object(
  {
    object: Type.Literal('campaign_recipient'),
    id: Uuid,
    contact_id: Uuid,
    email: TextOrNull('Null if the contact was deleted.'),
    state: Type.Enum([...STATES]),
    reason: TextOrNull('Why it was skipped or failed.'),
    email_id: IdOrNull('Email.'),
    email_status: TextOrNull('Status of the email.'),
    updated_at: Timestamp,
  },
  { title: 'CampaignRecipient', examples: [EXAMPLE] },
)

export function campaignRecipientToJson(recipient: CampaignRecipient): Static<typeof RecipientAnswer> {
  return {
    object: 'campaign_recipient',
    id: recipient.id,
    contact_id: recipient.id,
    email: recipient.email,
    state: recipient.state,
    reason: recipient.reason,
    email_id: recipient.emailId,
    email_status: recipient.emailStatus,
    updated_at: formatTime(recipient.updatedAt),
  }
}

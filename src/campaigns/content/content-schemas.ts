import Type, { type Static } from 'typebox'
import { Text, TextOrNull, Uuid } from '../../http/route/schemas.ts'
import { TemplateWarnings } from '../../templates/template-warning-schemas.ts'
import { CHECK_CODES, type Check } from './check-types.ts'
import type { CampaignPreview } from './preview-campaign.ts'
import type { TestResult } from './test-campaign.ts'

export const CampaignPreviewBody = Type.Object(
  { contact_id: Type.Optional(Type.String({ format: 'uuid', description: 'Default: fallbacks only.' })) },
  { examples: [{ contact_id: '0198c0de-0000-7000-8000-0000000000c1' }] },
)
export const CampaignPreviewAnswer = Type.Object(
  {
    object: Type.Literal('campaign_preview'),
    from: TextOrNull('Null without a sender.'),
    reply_to: TextOrNull('Null: replies go to the sender.'),
    subject: Text('Subject.'),
    html: TextOrNull('With the preview text.'),
    text: TextOrNull('Null: derived from the HTML.'),
    missing: Type.Array(Type.String(), { description: 'Variables without a value.' }),
    warnings: TemplateWarnings,
  },
  {
    title: 'CampaignPreview',
    examples: [
      {
        object: 'campaign_preview',
        from: '"Acme" <news@example.com>',
        reply_to: null,
        subject: 'Hello Ann',
        html: null,
        text: 'Hi!',
        missing: [],
        warnings: [],
      },
    ],
  },
)

export function campaignPreviewToJson({
  content: { sender, replyTo },
  subject,
  ...rest
}: CampaignPreview): Static<typeof CampaignPreviewAnswer> {
  const { html, text, missing, warnings } = rest
  return {
    object: 'campaign_preview',
    from: sender === '' ? null : sender,
    reply_to: replyTo,
    subject: subject ?? '',
    html,
    text,
    missing,
    warnings,
  }
}

export const TestBody = Type.Object(
  {
    to: Type.Array(Type.String({ maxLength: 255 }), {
      minItems: 1,
      maxItems: 10,
      description: 'Addresses.',
    }),
  },
  { examples: [{ to: ['ann@example.com'] }] },
)
export const TestAnswer = Type.Object(
  {
    object: Type.Literal('campaign_test'),
    data: Type.Array(
      Type.Object({
        to: Text('Address.'),
        id: Type.Union([Uuid, Type.Null()], { description: 'Id of the email.' }),
        error: TextOrNull('Why there is none.'),
      }),
    ),
  },
  {
    title: 'CampaignTest',
    examples: [
      {
        object: 'campaign_test',
        data: [{ to: 'ann@example.com', id: '0198c0de-0000-7000-8000-000000000001', error: null }],
      },
    ],
  },
)

export function testToJson(results: readonly TestResult[]): Static<typeof TestAnswer> {
  const data = results.map(({ email, emailId, error }) => ({ to: email, id: emailId, error }))
  return { object: 'campaign_test', data }
}

export const ChecksAnswer = Type.Object(
  {
    object: Type.Literal('campaign_checks'),
    data: Type.Array(
      Type.Object({
        code: Type.Enum(CHECK_CODES),
        severity: Type.Enum(['error', 'warning'], { description: '`error`: it cannot be sent.' }),
        message: Text('What to fix.'),
      }),
    ),
  },
  { title: 'CampaignChecks' },
)

export function checksToJson(data: Check[]): Static<typeof ChecksAnswer> {
  return { object: 'campaign_checks', data }
}

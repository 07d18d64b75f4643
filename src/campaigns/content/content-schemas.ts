import Type, { type Static } from 'typebox'
import { IdOrNull, Text, TextOrNull, Uuid } from '../../http/schemas.ts'
import { TemplateWarnings } from '../../templates/template-warning-schemas.ts'
import { type CampaignCheck, CHECK_CODES } from './content-checks.ts'
import type { CampaignPreview } from './preview-campaign.ts'
import type { TestResult } from './send-test.ts'

const ID = '0198c0de-0000-7000-8000-0000000000f1'
const TEST_COUNT_MAX = 10
const Missing = Type.Array(Type.String(), {
  description: 'Variables without a value or fallback. Their placeholders remain.',
})

export const CampaignPreviewBody = Type.Object(
  { contact_id: Type.Optional(IdOrNull('Whose values to use. Default: nobody’s, only fallbacks.')) },
  { examples: [{ contact_id: null }] },
)

export const CampaignPreviewAnswer = Type.Object(
  {
    object: Type.Literal('campaign_preview'),
    id: Uuid,
    contact_id: IdOrNull('Whose values were used.'),
    subject: Text('Subject.'),
    html: TextOrNull('Begins with the hidden preview text.'),
    text: TextOrNull('Null: emails derive it from the HTML.'),
    missing: Missing,
    warnings: TemplateWarnings,
  },
  {
    title: 'CampaignPreview',
    examples: [
      {
        ...{ object: 'campaign_preview', id: ID, contact_id: null, subject: 'Spring is here' },
        ...{ html: null, text: 'Everything at half the price.', missing: [], warnings: [] },
      },
    ],
  },
)

export const CampaignTestBody = Type.Object(
  {
    to: Type.Array(Type.String({ maxLength: 2000 }), {
      minItems: 1,
      maxItems: TEST_COUNT_MAX,
      description: 'Addresses.',
    }),
  },
  { examples: [{ to: ['delivered@simulator.test'] }] },
)

export const CampaignTestAnswer = Type.Object(
  {
    object: Type.Literal('campaign_test'),
    emails: Type.Array(
      Type.Object({
        to: Text('Address.'),
        id: IdOrNull('The email.'),
        message: TextOrNull('Why there is none.'),
        missing: Missing,
      }),
    ),
  },
  {
    title: 'CampaignTest',
    examples: [
      {
        object: 'campaign_test',
        emails: [
          {
            ...{ to: 'delivered@simulator.test', id: '0198c0de-0000-7000-8000-000000000001' },
            ...{ message: null, missing: [] },
          },
        ],
      },
    ],
  },
)

export const CampaignChecksAnswer = Type.Object(
  {
    object: Type.Literal('campaign_checks'),
    checks: Type.Array(
      Type.Object({
        code: Type.Enum(CHECK_CODES),
        severity: Type.Enum(['error', 'warning'], { description: 'With an `error`, it cannot be sent.' }),
        message: Text('What to mend.'),
      }),
      { description: 'Errors first.' },
    ),
  },
  {
    title: 'CampaignChecks',
    examples: [
      {
        object: 'campaign_checks',
        checks: [{ code: 'incomplete', severity: 'error', message: 'The sender_id field is required.' }],
      },
    ],
  },
)

export function previewToJson(id: string, preview: CampaignPreview): Static<typeof CampaignPreviewAnswer> {
  const { contactId, subject, html, text, missing, warnings } = preview
  return {
    ...{ object: 'campaign_preview', id, contact_id: contactId, subject: subject ?? '' },
    ...{ html, text, missing, warnings },
  }
}

export function testToJson(emails: TestResult[]): Static<typeof CampaignTestAnswer> {
  return { object: 'campaign_test', emails }
}

export function checksToJson(checks: CampaignCheck[]): Static<typeof CampaignChecksAnswer> {
  return { object: 'campaign_checks', checks }
}

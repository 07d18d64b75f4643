import type { Static } from 'typebox'
import type { ListAnswer } from '../../src/http/present-list.ts'
import type { KeyRecord, NewKeyRecord } from '../../src/http/routes/api-keys.ts'
import type { AttentionAnswer } from '../../src/http/routes/attention.ts'
import type { AuditEntryAnswer } from '../../src/http/routes/audit.ts'
import type { AutomationAnswer } from '../../src/http/routes/automations.ts'
import type { CampaignAnswer, CampaignSummaryAnswer } from '../../src/http/routes/campaigns.ts'
import type {
  CapturedSummary as CapturedSummarySchema,
  CapturedWhole as CapturedWholeSchema,
} from '../../src/http/routes/captured.ts'
import type { DomainAnswer, DomainSummary } from '../../src/http/routes/domains.ts'
import type { PlanRecord } from '../../src/http/routes/operator-plans.ts'
import type { Queue as QueueSchema } from '../../src/http/routes/operator-queue.ts'
import type { Shaping as ShapingSchema } from '../../src/http/routes/operator-shaping.ts'
import type { TeamRecord } from '../../src/http/routes/operator-teams.ts'
import type { PropertyAnswer } from '../../src/http/routes/properties.ts'
import type { SenderAnswer } from '../../src/http/routes/senders.ts'
import type { SiteRecord } from '../../src/http/routes/sites.ts'
import type { FolderAnswer } from '../../src/http/routes/template-folders.ts'
import type { PreviewAnswer } from '../../src/http/routes/template-preview.ts'
import type { UnsubscriptionEntry } from '../../src/http/routes/unsubscriptions.ts'
import type { Usage as UsageSchema } from '../../src/http/routes/usage.ts'
import type { ContactAnswer } from '../../src/http/schemas-contact.ts'
import type {
  Attempt as AttemptSchema,
  EmailSummary as EmailSummarySchema,
  EmailWhole as EmailWholeSchema,
} from '../../src/http/schemas-email.ts'
import type { ErasureAnswer } from '../../src/http/schemas-erasure.ts'
import type { ImportAnswer, ImportDetail, ImportErrorAnswer } from '../../src/http/schemas-import.ts'
import type { EmailMetrics as EmailMetricsSchema } from '../../src/http/schemas-metrics.ts'
import type { HealthRecord, NodeRecord } from '../../src/http/schemas-operator.ts'
import type { SegmentAnswer, SegmentCountAnswer } from '../../src/http/schemas-segment.ts'
import type { SuppressionEntry } from '../../src/http/schemas-suppression.ts'
import type { TemplateAnswer, TemplateSummaryAnswer } from '../../src/http/schemas-template.ts'
import type { TemplateVersionAnswer, VersionSummaryAnswer } from '../../src/http/schemas-template-version.ts'
import type {
  DeliveryAnswer,
  DeliveryWhole as DeliveryWholeSchema,
  ReplayAnswer,
  WebhookAnswer,
  WebhookWithSecret,
} from '../../src/http/schemas-webhook.ts'

/** Records of the API, by the schemas that it answers with: types alone, nothing of the server is loaded here. */
export type EmailSummary = Static<typeof EmailSummarySchema>
export type EmailWhole = Static<typeof EmailWholeSchema>
export type Attempt = Static<typeof AttemptSchema>
export type EmailMetrics = Static<typeof EmailMetricsSchema>
export type CapturedSummary = Static<typeof CapturedSummarySchema>
export type CapturedWhole = Static<typeof CapturedWholeSchema>
export type AttentionItem = Static<typeof AttentionAnswer>
export type Usage = Static<typeof UsageSchema>
export type AuditEntry = Static<typeof AuditEntryAnswer>
export type ApiKey = Static<typeof KeyRecord>
export type NewApiKey = Static<typeof NewKeyRecord>
export type Domain = Static<typeof DomainSummary>
export type DomainWhole = Static<typeof DomainAnswer>
export type Sender = Static<typeof SenderAnswer>
export type Template = Static<typeof TemplateAnswer>
export type TemplateSummary = Static<typeof TemplateSummaryAnswer>
export type TemplateFolder = Static<typeof FolderAnswer>
export type TemplatePreview = Static<typeof PreviewAnswer>
export type TemplateVersion = Static<typeof TemplateVersionAnswer>
export type VersionSummary = Static<typeof VersionSummaryAnswer>
export type Webhook = Static<typeof WebhookAnswer>
export type WebhookWhole = Static<typeof WebhookWithSecret>
export type WebhookDelivery = Static<typeof DeliveryAnswer>
export type DeliveryWhole = Static<typeof DeliveryWholeSchema>
export type WebhookReplay = Static<typeof ReplayAnswer>
export type OperatorTeam = Static<typeof TeamRecord>
export type OperatorQueue = Static<typeof QueueSchema>
export type Plan = Static<typeof PlanRecord>
export type Shaping = Static<typeof ShapingSchema>
export type Site = Static<typeof SiteRecord>
export type Node = Static<typeof NodeRecord>
export type Health = Static<typeof HealthRecord>
export type Suppression = Static<typeof SuppressionEntry>
export type ContactList = Static<typeof ListAnswer>
export type Contact = Static<typeof ContactAnswer>
export type Property = Static<typeof PropertyAnswer>
export type Unsubscription = Static<typeof UnsubscriptionEntry>
export type Erasure = Static<typeof ErasureAnswer>
export type Import = Static<typeof ImportAnswer>
export type ImportWhole = Static<typeof ImportDetail>
export type ImportError = Static<typeof ImportErrorAnswer>
export type Segment = Static<typeof SegmentAnswer>
export type SegmentCount = Static<typeof SegmentCountAnswer>
export type CampaignSummary = Static<typeof CampaignSummaryAnswer>
export type Campaign = Static<typeof CampaignAnswer>
export type Automation = Static<typeof AutomationAnswer>

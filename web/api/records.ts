import type { Static } from 'typebox'
import type { ContactAnswer, SegmentCountAnswer } from '../../src/audience/contacts/contact-schemas.ts'
import type {
  ImportAnswer,
  ImportDetail,
  ImportErrorAnswer,
} from '../../src/audience/imports/import-schemas.ts'
import type { ListAnswer } from '../../src/audience/lists/list-json.ts'
import type { PropertyAnswer } from '../../src/audience/properties/property-schemas.ts'
import type { SegmentAnswer } from '../../src/audience/segments/segment-schemas.ts'
import type { UnsubscriptionEntry } from '../../src/audience/unsubscribes/unsubscription-schemas.ts'
import type { AuditEntryAnswer } from '../../src/audit/audit-schemas.ts'
import type { AutomationAnswer } from '../../src/automations/automation-schemas.ts'
import type { DryRunAnswer } from '../../src/automations/reading/dry-run-schemas.ts'
import type { MoveAnswer } from '../../src/automations/reading/move-schemas.ts'
import type {
  FiguresAnswer,
  RunAnswer,
  RunTrail,
  VersionAnswer,
} from '../../src/automations/reading/run-schemas.ts'
import type { AudiencePreviewAnswer } from '../../src/campaigns/audience/audience-schemas.ts'
import type {
  CampaignAnswer,
  CampaignMetricsAnswer,
  CampaignSummaryAnswer,
} from '../../src/campaigns/campaign-schemas.ts'
import type {
  CampaignPreviewAnswer,
  ChecksAnswer,
  TestAnswer,
} from '../../src/campaigns/content/content-schemas.ts'
import type { EstimateAnswer } from '../../src/campaigns/content/estimate-schemas.ts'
import type { LinkAnswer } from '../../src/campaigns/results/link-schemas.ts'
import type { RecipientAnswer } from '../../src/campaigns/results/recipient-schemas.ts'
import type { DnsProviderRecord } from '../../src/domains/routes/dns-provider-schemas.ts'
import type { DomainAnswer, DomainSummary } from '../../src/domains/routes/domain-schemas.ts'
import type { SenderAnswer } from '../../src/domains/routes/sender-schemas.ts'
import type {
  CapturedSummary as CapturedSummarySchema,
  CapturedWhole as CapturedWholeSchema,
} from '../../src/emails/read/captured-schemas.ts'
import type {
  EmailAttempt as AttemptSchema,
  EmailSummary as EmailSummarySchema,
  EmailWhole as EmailWholeSchema,
} from '../../src/emails/routes/email-schemas.ts'
import type { KeyRecord, NewKeyRecord } from '../../src/keys/api-key-schemas.ts'
import type { AlertsAnswer } from '../../src/metrics/alerts/alert-schemas.ts'
import type { EmailMetrics as EmailMetricsSchema } from '../../src/metrics/reading/metrics-schemas.ts'
import type { GoLiveRecord, ServerChecksRecord } from '../../src/operator/go-live/go-live-schemas.ts'
import type { Queue as QueueSchema } from '../../src/operator/operator-queue-schemas.ts'
import type { HealthRecord, NodeRecord } from '../../src/operator/operator-schemas.ts'
import type { ShapingRecord as ShapingSchema } from '../../src/operator/operator-shaping-schemas.ts'
import type { SiteRecord } from '../../src/operator/site-schemas.ts'
import type { ErasureAnswer } from '../../src/privacy/erasure/erasure-schemas.ts'
import type { LogAnswer } from '../../src/request-log/request-log-schemas.ts'
import type { SuppressionEntry } from '../../src/suppressions/suppression-schemas.ts'
import type { PlanRecord } from '../../src/teams/operator-plan-schemas.ts'
import type { OperatorTeamRecord } from '../../src/teams/operator-team-schemas.ts'
import type { Usage as UsageSchema } from '../../src/teams/usage-schemas.ts'
import type { TemplateDraftAnswer } from '../../src/templates/template-draft-schemas.ts'
import type { FolderAnswer } from '../../src/templates/template-folder-schemas.ts'
import type { TemplatePreviewAnswer } from '../../src/templates/template-preview-schemas.ts'
import type { TemplateAnswer, TemplateSummaryAnswer } from '../../src/templates/template-schemas.ts'
import type {
  TemplateVersionAnswer,
  VersionSummaryAnswer,
} from '../../src/templates/template-version-schemas.ts'
import type {
  DeliveryAnswer,
  DeliveryWhole as DeliveryWholeSchema,
  ReplayAnswer,
  WebhookAnswer,
  WebhookWithSecret,
} from '../../src/webhooks/webhook-schemas.ts'

/** Records of the API, derived from its response schemas. These are types only: no server code is loaded. */
export type EmailSummary = Static<typeof EmailSummarySchema>
export type EmailWhole = Static<typeof EmailWholeSchema>
export type Attempt = Static<typeof AttemptSchema>
export type EmailMetrics = Static<typeof EmailMetricsSchema>
export type DnsProvider = Static<typeof DnsProviderRecord>
export type GoLive = Static<typeof GoLiveRecord>
export type ServerChecks = Static<typeof ServerChecksRecord>
export type CapturedSummary = Static<typeof CapturedSummarySchema>
export type CapturedWhole = Static<typeof CapturedWholeSchema>
export type Alert = Static<typeof AlertsAnswer>
export type Usage = Static<typeof UsageSchema>
export type AuditEntry = Static<typeof AuditEntryAnswer>
export type RequestLog = Static<typeof LogAnswer>
export type ApiKey = Static<typeof KeyRecord>
export type NewApiKey = Static<typeof NewKeyRecord>
export type Domain = Static<typeof DomainSummary>
export type DomainWhole = Static<typeof DomainAnswer>
export type Sender = Static<typeof SenderAnswer>
export type Template = Static<typeof TemplateAnswer>
export type TemplateDraft = Static<typeof TemplateDraftAnswer>
export type TemplateSummary = Static<typeof TemplateSummaryAnswer>
export type TemplateFolder = Static<typeof FolderAnswer>
export type TemplatePreview = Static<typeof TemplatePreviewAnswer>
export type TemplateVersion = Static<typeof TemplateVersionAnswer>
export type VersionSummary = Static<typeof VersionSummaryAnswer>
export type Webhook = Static<typeof WebhookAnswer>
export type WebhookWhole = Static<typeof WebhookWithSecret>
export type WebhookDelivery = Static<typeof DeliveryAnswer>
export type DeliveryWhole = Static<typeof DeliveryWholeSchema>
export type WebhookReplay = Static<typeof ReplayAnswer>
export type OperatorTeam = Static<typeof OperatorTeamRecord>
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
export type CampaignAudience = Static<typeof AudiencePreviewAnswer>
export type CampaignLink = Static<typeof LinkAnswer>
export type CampaignRecipient = Static<typeof RecipientAnswer>
export type CampaignMetrics = Static<typeof CampaignMetricsAnswer>
export type CampaignPreview = Static<typeof CampaignPreviewAnswer>
export type CampaignChecks = Static<typeof ChecksAnswer>
export type CampaignEstimate = Static<typeof EstimateAnswer>
export type CampaignTest = Static<typeof TestAnswer>
export type Automation = Static<typeof AutomationAnswer>
export type AutomationFigures = Static<typeof FiguresAnswer>
export type AutomationRun = Static<typeof RunAnswer>
export type AutomationRunTrail = Static<typeof RunTrail>
export type AutomationDryRun = Static<typeof DryRunAnswer>
export type AutomationVersion = Static<typeof VersionAnswer>
export type AutomationMove = Static<typeof MoveAnswer>

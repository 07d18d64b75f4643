import type { components, webhooks } from './api.ts'

type Schemas = components['schemas']

/** A file of an email: `content` is base64 or bytes; or `path` is a URL that the server fetches. */
export type Attachment = Omit<Schemas['AttachmentInput'], 'content'> & {
  content?: string | Uint8Array | null
}

/** An email to send. */
export type SendEmail = Omit<Schemas['SendEmailRequest'], 'attachments' | 'scheduled_at'> & {
  attachments?: readonly Attachment[] | null
  scheduled_at?: string | Date | null
  /** A React component, rendered to `html`. Needs the client of `@sendwright/sdk/react`. */
  react?: object
}

type EventBodies = {
  [T in keyof webhooks]: webhooks[T] extends {
    post: { requestBody: { content: { 'application/json': infer B } } }
  }
    ? B
    : never
}
/** Without the `data` of the common base, which allows any field. */
type DataOf<B> = B extends Schemas['WebhookEvent'] & { data?: infer D } ? NonNullable<D> : never

/** The body of a webhook. Its `type` decides the type of its `data`. */
export type WebhookEvent<T extends EventType = EventType> = {
  [K in T]: { type: K; created_at: string; data: DataOf<EventBodies[K]> }
}[T]

/** An event of the feed. Its `type` decides the type of its `data`. */
export type FeedEvent<T extends EventType = EventType> = WebhookEvent<T> & { object: 'event'; id: string }

/** A page of the feed. */
export type FeedPage = Omit<Schemas['EventPage'], 'data'> & { data: FeedEvent[] }

export type AcceptedEmail = Schemas['AcceptedEmail']
export type AddContactToListsRequest = Schemas['AddContactToListsRequest']
export type AddressValidation = Schemas['AddressValidation']
export type AlertList = Schemas['AlertList']
export type ApiKey = Schemas['ApiKey']
export type ApiKeyList = Schemas['ApiKeyList']
export type ApiKeyWithToken = Schemas['ApiKeyWithToken']
export type AttemptList = Schemas['AttemptList']
export type AuditEntryList = Schemas['AuditEntryList']
export type Automation = Schemas['Automation']
export type AutomationList = Schemas['AutomationList']
export type BatchResult = Schemas['BatchResult']
export type Campaign = Schemas['Campaign']
export type CampaignRecipientList = Schemas['CampaignRecipientList']
export type CampaignRetry = Schemas['CampaignRetry']
export type CampaignAudience = Schemas['CampaignAudience']
export type CampaignChecks = Schemas['CampaignChecks']
export type CampaignPreview = Schemas['CampaignPreview']
export type CampaignMetrics = Schemas['CampaignMetrics']
export type CampaignSummaryList = Schemas['CampaignSummaryList']
export type CampaignTest = Schemas['CampaignTest']
export type CapturedEmail = Schemas['CapturedEmail']
export type CapturedEmailSummary = Schemas['CapturedEmailSummary']
export type CapturedEmailSummaryList = Schemas['CapturedEmailSummaryList']
export type Contact = Schemas['Contact']
export type ContactList = Schemas['ContactList']
export type CountSegmentContactsRequest = Schemas['CountSegmentContactsRequest']
export type CreateApiKeyRequest = Schemas['CreateApiKeyRequest']
export type CreateAutomationRequest = Schemas['CreateAutomationRequest']
export type CreateCampaignRequest = Schemas['CreateCampaignRequest']
export type CreateContactRequest = Schemas['CreateContactRequest']
export type CreateDomainRequest = Schemas['CreateDomainRequest']
export type CreateListRequest = Schemas['CreateListRequest']
export type CreatePropertyRequest = Schemas['CreatePropertyRequest']
export type CreateSegmentRequest = Schemas['CreateSegmentRequest']
export type CreateSenderRequest = Schemas['CreateSenderRequest']
export type CreateTeamRequest = Schemas['CreateTeamRequest']
export type CreateTemplateFolderRequest = Schemas['CreateTemplateFolderRequest']
export type CreateTemplateRequest = Schemas['CreateTemplateRequest']
export type CreateUnsubscriptionRequest = Schemas['CreateUnsubscriptionRequest']
export type CreateWebhookRequest = Schemas['CreateWebhookRequest']
export type DeleteCapturedEmailsResponse = Schemas['DeleteCapturedEmailsResponse']
export type Deleted = Schemas['Deleted']
export type DeletedContact = Schemas['DeletedContact']
export type DeletedListMembership = Schemas['DeletedListMembership']
export type DeletedSegmentMembership = Schemas['DeletedSegmentMembership']
export type DnsProvider = Schemas['DnsProvider']
export type Domain = Schemas['Domain']
export type DomainSummaryList = Schemas['DomainSummaryList']
export type Email = Schemas['Email']
export type EmailAttachment = Schemas['EmailAttachment']
export type EmailAttachmentList = Schemas['EmailAttachmentList']
export type EmailMetrics = Schemas['EmailMetrics']
export type EmailRef = Schemas['EmailRef']
export type EmailSummaryList = Schemas['EmailSummaryList']
export type ErasePersonRequest = Schemas['ErasePersonRequest']
export type Erasure = Schemas['Erasure']
export type EventType = Schemas['EventType']
export type GoLive = Schemas['GoLive']
export type Import = Schemas['Import']
export type ImportErrorList = Schemas['ImportErrorList']
export type ImportSummary = Schemas['ImportSummary']
export type ImportSummaryList = Schemas['ImportSummaryList']
export type InstallationHealth = Schemas['InstallationHealth']
export type InviteToTeamRequest = Schemas['InviteToTeamRequest']
export type List = Schemas['List']
export type ListList = Schemas['ListList']
export type ListSitesResponse = Schemas['ListSitesResponse']
export type ListTeamsResponse = Schemas['ListTeamsResponse']
export type Log = Schemas['Log']
export type LogList = Schemas['LogList']
export type NodeList = Schemas['NodeList']
export type OperatorTeam = Schemas['OperatorTeam']
export type PauseSiteRequest = Schemas['PauseSiteRequest']
export type PauseSiteResponse = Schemas['PauseSiteResponse']
export type PauseTeamRequest = Schemas['PauseTeamRequest']
export type PlanList = Schemas['PlanList']
export type PreviewCampaignAudienceRequest = Schemas['PreviewCampaignAudienceRequest']
export type PreviewCampaignRequest = Schemas['PreviewCampaignRequest']
export type PreviewRequest = Schemas['PreviewRequest']
export type Property = Schemas['Property']
export type PropertyList = Schemas['PropertyList']
export type Queue = Schemas['Queue']
export type RemoveSuppressionsRequest = Schemas['RemoveSuppressionsRequest']
export type ReplayWebhookEventsRequest = Schemas['ReplayWebhookEventsRequest']
export type RescheduleEmailRequest = Schemas['RescheduleEmailRequest']
export type ResendEmailRequest = Schemas['ResendEmailRequest']
export type ResumeSiteResponse = Schemas['ResumeSiteResponse']
export type Retention = Schemas['Retention']
export type SaveTemplateDraftRequest = Schemas['SaveTemplateDraftRequest']
export type Segment = Schemas['Segment']
export type SegmentCount = Schemas['SegmentCount']
export type SegmentList = Schemas['SegmentList']
export type SegmentMembership = Schemas['SegmentMembership']
export type SendCampaignRequest = Schemas['SendCampaignRequest']
export type SendMimeEmailRequest = Schemas['SendMimeEmailRequest']
export type Sender = Schemas['Sender']
export type SenderList = Schemas['SenderList']
export type SentInvitation = Schemas['SentInvitation']
export type ServerChecks = Schemas['ServerChecks']
export type Shaping = Schemas['Shaping']
export type ShareEmailRequest = Schemas['ShareEmailRequest']
export type SharedEmail = Schemas['SharedEmail']
export type Summary = Schemas['Summary']
export type SuppressAddressRequest = Schemas['SuppressAddressRequest']
export type SuppressAddressesRequest = Schemas['SuppressAddressesRequest']
export type Suppression = Schemas['Suppression']
export type SuppressionList = Schemas['SuppressionList']
export type SuppressionsAdded = Schemas['SuppressionsAdded']
export type SuppressionsRemoved = Schemas['SuppressionsRemoved']
export type Template = Schemas['Template']
export type TemplateDraft = Schemas['TemplateDraft']
export type TemplateFolder = Schemas['TemplateFolder']
export type TemplateFolderList = Schemas['TemplateFolderList']
export type TemplatePreview = Schemas['TemplatePreview']
export type TemplateSummaryList = Schemas['TemplateSummaryList']
export type TemplateVersion = Schemas['TemplateVersion']
export type TemplateVersionSummaryList = Schemas['TemplateVersionSummaryList']
export type TestCampaignRequest = Schemas['TestCampaignRequest']
export type TestWebhookRequest = Schemas['TestWebhookRequest']
export type Unsubscription = Schemas['Unsubscription']
export type UnsubscriptionList = Schemas['UnsubscriptionList']
export type UpdateApiKeyRequest = Schemas['UpdateApiKeyRequest']
export type UpdateAutomationRequest = Schemas['UpdateAutomationRequest']
export type UpdateCampaignRequest = Schemas['UpdateCampaignRequest']
export type UpdateContactRequest = Schemas['UpdateContactRequest']
export type UpdateDomainRequest = Schemas['UpdateDomainRequest']
export type UpdateListRequest = Schemas['UpdateListRequest']
export type UpdateOperatorTeamRequest = Schemas['UpdateOperatorTeamRequest']
export type UpdatePropertyRequest = Schemas['UpdatePropertyRequest']
export type UpdateRetentionRequest = Schemas['UpdateRetentionRequest']
export type UpdateSegmentRequest = Schemas['UpdateSegmentRequest']
export type UpdateSenderRequest = Schemas['UpdateSenderRequest']
export type UpdateSuppressionRequest = Schemas['UpdateSuppressionRequest']
export type UpdateTemplateFolderRequest = Schemas['UpdateTemplateFolderRequest']
export type UpdateTemplateRequest = Schemas['UpdateTemplateRequest']
export type UpdateWebhookRequest = Schemas['UpdateWebhookRequest']
export type Usage = Schemas['Usage']
export type ValidateAddressRequest = Schemas['ValidateAddressRequest']
export type Webhook = Schemas['Webhook']
export type WebhookDelivery = Schemas['WebhookDelivery']
export type WebhookDeliverySummary = Schemas['WebhookDeliverySummary']
export type WebhookDeliverySummaryList = Schemas['WebhookDeliverySummaryList']
export type WebhookList = Schemas['WebhookList']
export type WebhookReplay = Schemas['WebhookReplay']
export type WebhookWithSecret = Schemas['WebhookWithSecret']

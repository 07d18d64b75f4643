import { deviceLoginRoutes } from '../accounts/device-logins/device-logins-routes.ts'
import { invitationRoutes } from '../accounts/invitations/invitations-routes.ts'
import { operatorInvitationRoutes } from '../accounts/invitations/operator-invitations-routes.ts'
import { teamInvitationRoutes } from '../accounts/invitations/team-invitations-routes.ts'
import { notificationRoutes } from '../accounts/notifications/notifications-routes.ts'
import { accountRoutes } from '../accounts/people/account-routes.ts'
import { gettingInRoutes } from '../accounts/people/getting-in-routes.ts'
import { teamMemberRoutes } from '../accounts/people/team-members-routes.ts'
import { teamRoutes } from '../accounts/people/team-routes.ts'
import { passkeyRoutes } from '../accounts/second-factor/passkeys-routes.ts'
import { secondFactorRoutes } from '../accounts/second-factor/second-factor-routes.ts'
import { sessionRoutes } from '../accounts/sessions/session-routes.ts'
import { singleSignOnRoutes } from '../accounts/single-sign-on/single-sign-on-routes.ts'
import { contactSegmentRoutes } from '../audience/contacts/contact-segments-routes.ts'
import { contactRoutes } from '../audience/contacts/contacts-routes.ts'
import { listContactsRoutes, segmentContactsRoutes } from '../audience/contacts/selected-contacts-routes.ts'
import { exportRoutes } from '../audience/imports/exports-routes.ts'
import { importRoutes } from '../audience/imports/imports-routes.ts'
import { listRoutes } from '../audience/lists/lists-routes.ts'
import { propertyRoutes } from '../audience/properties/properties-routes.ts'
import { segmentRoutes } from '../audience/segments/segments-routes.ts'
import { unsubscribeRoutes } from '../audience/unsubscribes/unsubscribe-routes.ts'
import { unsubscriptionRoutes } from '../audience/unsubscribes/unsubscriptions-routes.ts'
import { auditRoutes } from '../audit/audit-routes.ts'
import { automationRoutes } from '../automations/automations-routes.ts'
import { automationRunRoutes } from '../automations/reading/runs-routes.ts'
import { reportedEventRoutes } from '../automations/reported/reported-routes.ts'
import { broadcastRoutes } from '../campaigns/broadcasts/broadcasts-routes.ts'
import { campaignVerbRoutes } from '../campaigns/campaign-verbs-routes.ts'
import { campaignRoutes } from '../campaigns/campaigns-routes.ts'
import { campaignContentRoutes } from '../campaigns/content/content-routes.ts'
import { campaignLinkRoutes } from '../campaigns/results/links-routes.ts'
import { campaignRecipientRoutes } from '../campaigns/results/recipients-routes.ts'
import { dnsProviderRoutes } from '../domains/routes/dns-provider-routes.ts'
import { domainRoutes } from '../domains/routes/domains-routes.ts'
import { senderRoutes } from '../domains/routes/senders-routes.ts'
import { attachmentRoutes } from '../emails/read/attachments-routes.ts'
import { capturedRoutes } from '../emails/read/captured-routes.ts'
import { emailAgainRoutes } from '../emails/routes/emails-again-routes.ts'
import { emailBatchRoutes } from '../emails/routes/emails-batch-routes.ts'
import { emailMimeRoutes } from '../emails/routes/emails-mime-routes.ts'
import { emailRoutes } from '../emails/routes/emails-routes.ts'
import { shareRoutes } from '../emails/share/share-routes.ts'
import { emailValidateRoutes } from '../emails/validate/emails-validate-routes.ts'
import { eventRoutes } from '../events/events-routes.ts'
import { apiKeyRoutes } from '../keys/api-keys-routes.ts'
import { alertsRoutes } from '../metrics/alerts/alerts-routes.ts'
import { emailMetricsRoutes } from '../metrics/email-metrics-routes.ts'
import { summaryRoutes } from '../metrics/summary/summary-routes.ts'
import { goLiveRoutes, serverCheckRoutes } from '../operator/go-live/go-live-routes.ts'
import { operatorHealthRoutes } from '../operator/operator-health-routes.ts'
import { operatorQueueRoutes } from '../operator/operator-queue-routes.ts'
import { operatorShapingRoutes } from '../operator/operator-shaping-routes.ts'
import { siteRoutes } from '../operator/sites-routes.ts'
import { personalDataRoutes } from '../privacy/erasure/personal-data-routes.ts'
import { retentionRoutes } from '../privacy/retention/retention-routes.ts'
import { requestLogRoutes } from '../request-log/request-log-routes.ts'
import { suppressionRoutes } from '../suppressions/suppressions-routes.ts'
import { operatorPlanRoutes } from '../teams/operator-plans-routes.ts'
import { operatorTeamRoutes } from '../teams/operator-teams-routes.ts'
import { usageRoutes } from '../teams/usage-routes.ts'
import { templateDraftRoutes } from '../templates/template-drafts-routes.ts'
import { templateFolderRoutes } from '../templates/template-folders-routes.ts'
import { templatePreviewRoutes } from '../templates/template-preview-routes.ts'
import { templateVersionRoutes } from '../templates/template-versions-routes.ts'
import { templateRoutes } from '../templates/templates-routes.ts'
import { trackingRoutes } from '../tracking/tracking-routes.ts'
import { webhookDeliveryRoutes } from '../webhooks/webhook-deliveries-routes.ts'
import { webhookEventRoutes } from '../webhooks/webhook-events-routes.ts'
import { webhookRoutes } from '../webhooks/webhooks-routes.ts'

/** All routes of the API, in the order of the reference. */
export const API_ROUTES = [
  ...emailRoutes,
  ...emailAgainRoutes,
  ...attachmentRoutes,
  ...shareRoutes,
  ...emailMimeRoutes,
  ...emailBatchRoutes,
  ...emailValidateRoutes,
  ...templateRoutes,
  ...templateDraftRoutes,
  ...templateVersionRoutes,
  ...templatePreviewRoutes,
  ...templateFolderRoutes,
  ...domainRoutes,
  ...dnsProviderRoutes,
  ...senderRoutes,
  ...segmentRoutes,
  ...segmentContactsRoutes,
  ...campaignRoutes,
  ...broadcastRoutes,
  ...campaignVerbRoutes,
  ...campaignRecipientRoutes,
  ...campaignLinkRoutes,
  ...campaignContentRoutes,
  ...automationRoutes,
  ...automationRunRoutes,
  ...reportedEventRoutes,
  ...apiKeyRoutes,
  ...propertyRoutes,
  ...contactRoutes,
  ...contactSegmentRoutes,
  ...listRoutes,
  ...listContactsRoutes,
  ...suppressionRoutes,
  ...unsubscriptionRoutes,
  ...unsubscribeRoutes,
  ...trackingRoutes,
  ...importRoutes,
  ...exportRoutes,
  ...personalDataRoutes,
  ...webhookRoutes,
  ...webhookDeliveryRoutes,
  ...webhookEventRoutes,
  ...capturedRoutes,
  ...emailMetricsRoutes,
  ...alertsRoutes,
  ...goLiveRoutes,
  ...summaryRoutes,
  ...usageRoutes,
  ...auditRoutes,
  ...requestLogRoutes,
  ...eventRoutes,
  ...retentionRoutes,
  ...teamRoutes,
  ...teamMemberRoutes,
  ...teamInvitationRoutes,
  ...notificationRoutes,
  ...accountRoutes,
  ...sessionRoutes,
  ...deviceLoginRoutes,
  ...singleSignOnRoutes,
  ...secondFactorRoutes,
  ...passkeyRoutes,
  ...invitationRoutes,
  ...gettingInRoutes,
]

/** Routes for operators of the installation. */
export const OPERATOR_ROUTES = [
  ...operatorTeamRoutes,
  ...operatorInvitationRoutes,
  ...operatorPlanRoutes,
  ...operatorQueueRoutes,
  ...siteRoutes,
  ...operatorShapingRoutes,
  ...operatorHealthRoutes,
  ...serverCheckRoutes,
]

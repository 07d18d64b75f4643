import type { Route } from './http/route.ts'
import { accountRoutes } from './http/routes/account.ts'
import { apiKeyRoutes } from './http/routes/api-keys.ts'
import { attentionRoutes } from './http/routes/attention.ts'
import { auditRoutes } from './http/routes/audit.ts'
import { automationRoutes } from './http/routes/automations.ts'
import { campaignRoutes } from './http/routes/campaigns.ts'
import { capturedRoutes } from './http/routes/captured.ts'
import { contactRoutes } from './http/routes/contacts.ts'
import { domainRoutes } from './http/routes/domains.ts'
import { emailMetricsRoutes } from './http/routes/email-metrics.ts'
import { emailRoutes } from './http/routes/emails.ts'
import { emailAgainRoutes } from './http/routes/emails-again.ts'
import { emailBatchRoutes } from './http/routes/emails-batch.ts'
import { emailMimeRoutes } from './http/routes/emails-mime.ts'
import { emailValidateRoutes } from './http/routes/emails-validate.ts'
import { eventRoutes } from './http/routes/events.ts'
import { exportRoutes } from './http/routes/exports.ts'
import { gettingInRoutes } from './http/routes/getting-in.ts'
import { importRoutes } from './http/routes/imports.ts'
import { invitationRoutes } from './http/routes/invitations.ts'
import { listRoutes } from './http/routes/lists.ts'
import { operatorHealthRoutes } from './http/routes/operator-health.ts'
import { operatorInvitationRoutes } from './http/routes/operator-invitations.ts'
import { operatorPlanRoutes } from './http/routes/operator-plans.ts'
import { operatorQueueRoutes } from './http/routes/operator-queue.ts'
import { operatorShapingRoutes } from './http/routes/operator-shaping.ts'
import { operatorTeamRoutes } from './http/routes/operator-teams.ts'
import { passkeyRoutes } from './http/routes/passkeys.ts'
import { personalDataRoutes } from './http/routes/personal-data.ts'
import { propertyRoutes } from './http/routes/properties.ts'
import { retentionRoutes } from './http/routes/retention.ts'
import { secondFactorRoutes } from './http/routes/second-factor.ts'
import { segmentRoutes } from './http/routes/segments.ts'
import { senderRoutes } from './http/routes/senders.ts'
import { sessionRoutes } from './http/routes/session.ts'
import { siteRoutes } from './http/routes/sites.ts'
import { suppressionRoutes } from './http/routes/suppressions.ts'
import { teamRoutes } from './http/routes/team.ts'
import { teamInvitationRoutes } from './http/routes/team-invitations.ts'
import { teamMemberRoutes } from './http/routes/team-members.ts'
import { templateFolderRoutes } from './http/routes/template-folders.ts'
import { templatePreviewRoutes } from './http/routes/template-preview.ts'
import { templateVersionRoutes } from './http/routes/template-versions.ts'
import { templateRoutes } from './http/routes/templates.ts'
import { trackingRoutes } from './http/routes/tracking.ts'
import { unsubscribeRoutes } from './http/routes/unsubscribe.ts'
import { unsubscriptionRoutes } from './http/routes/unsubscriptions.ts'
import { usageRoutes } from './http/routes/usage.ts'
import { webhookDeliveryRoutes } from './http/routes/webhook-deliveries.ts'
import { webhookRoutes } from './http/routes/webhooks.ts'

/** All routes of the API, in the order in which the reference shows them. */
export const API_ROUTES: readonly Route[] = [
  ...emailRoutes,
  ...emailAgainRoutes,
  ...emailMimeRoutes,
  ...emailBatchRoutes,
  ...emailValidateRoutes,
  ...templateRoutes,
  ...templateVersionRoutes,
  ...templatePreviewRoutes,
  ...templateFolderRoutes,
  ...domainRoutes,
  ...senderRoutes,
  ...segmentRoutes,
  ...campaignRoutes,
  ...automationRoutes,
  ...apiKeyRoutes,
  ...propertyRoutes,
  ...contactRoutes,
  ...listRoutes,
  ...suppressionRoutes,
  ...unsubscriptionRoutes,
  ...unsubscribeRoutes,
  ...trackingRoutes,
  ...importRoutes,
  ...exportRoutes,
  ...personalDataRoutes,
  ...webhookRoutes,
  ...webhookDeliveryRoutes,
  ...capturedRoutes,
  ...emailMetricsRoutes,
  ...attentionRoutes,
  ...usageRoutes,
  ...auditRoutes,
  ...eventRoutes,
  ...retentionRoutes,
  ...teamRoutes,
  ...teamMemberRoutes,
  ...teamInvitationRoutes,
  ...accountRoutes,
  ...sessionRoutes,
  ...secondFactorRoutes,
  ...passkeyRoutes,
  ...invitationRoutes,
  ...gettingInRoutes,
]

/** What concerns the whole installation. */
export const OPERATOR_ROUTES: readonly Route[] = [
  ...operatorTeamRoutes,
  ...operatorInvitationRoutes,
  ...operatorPlanRoutes,
  ...operatorQueueRoutes,
  ...siteRoutes,
  ...operatorShapingRoutes,
  ...operatorHealthRoutes,
]

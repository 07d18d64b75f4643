import type { Look } from './dashboard.ts'
import type { Sample } from './sample.ts'

/** A page as it is looked at: where it is, and what is done there first. */
export interface LookedAt {
  /** Of the files, for example `emails-filtered`. */
  name: string
  /** Below the team's path, or with `/app` in front. */
  path: string | ((sample: Sample) => string)
  look?: Pick<Look, 'role' | 'isOperator'>
}

/** Those of an installation in capture mode. */
export const CAPTURE_PAGES: readonly { name: string; path: (capturedId: string) => string }[] = [
  { name: 'captured', path: () => '/captured' },
  { name: 'captured-message', path: (id) => `/captured/${id}` },
  { name: 'captured-source', path: (id) => `/captured/${id}?tab=source` },
]

/** Every page of the dashboard, in every state that looks different. */
export const PAGES: readonly LookedAt[] = [
  { name: 'login', path: '/app/login', look: { role: null } },
  { name: 'login-forgot', path: '/app/forgot', look: { role: null } },
  { name: 'welcome', path: '/app/welcome#token=sample', look: { role: null } },
  { name: 'welcome-dead', path: '/app/welcome', look: { role: null } },
  { name: 'reset', path: '/app/reset#token=sample', look: { role: null } },
  {
    name: 'invitation',
    path: ({ invitationToken }) => `/app/invitation#token=${invitationToken}`,
    look: { role: null },
  },
  { name: 'account', path: '/app/account' },
  { name: 'settings', path: '/settings' },
  { name: 'settings-invite', path: '/settings?invite=true' },
  { name: 'settings-viewer', path: '/settings', look: { role: 'viewer' } },
  { name: 'overview', path: '/' },
  { name: 'overview-start', path: '/?start=true' },
  { name: 'overview-table', path: '/?range=30d&view=table' },
  { name: 'overview-send', path: '/?send=true' },
  { name: 'overview-viewer', path: '/?range=90d', look: { role: 'viewer' } },
  { name: 'emails', path: '/emails' },
  { name: 'emails-filtered', path: '/emails?status=bounced&tag=kind:order' },
  { name: 'email', path: ({ mixedId }) => `/emails/${mixedId}` },
  { name: 'email-attachments', path: ({ mixedId }) => `/emails/${mixedId}?tab=attachments` },
  { name: 'email-headers', path: ({ mixedId }) => `/emails/${mixedId}?tab=headers` },
  { name: 'email-resend', path: ({ mixedId }) => `/emails/${mixedId}?dialog=resend` },
  { name: 'email-delayed', path: ({ delayedId }) => `/emails/${delayedId}?tab=source` },
  { name: 'email-reschedule', path: ({ scheduledId }) => `/emails/${scheduledId}?dialog=reschedule` },
  { name: 'templates', path: '/templates' },
  { name: 'templates-folder', path: ({ folderId }) => `/templates?folder=${folderId}` },
  { name: 'templates-none', path: '/templates?q=nothing' },
  { name: 'templates-new', path: '/templates?new=true' },
  { name: 'templates-new-folder', path: '/templates?edit_folder=new' },
  { name: 'template', path: ({ templateId }) => `/templates/${templateId}` },
  { name: 'template-text', path: ({ templateId }) => `/templates/${templateId}?view=text` },
  { name: 'template-preview', path: ({ templateId }) => `/templates/${templateId}?view=preview` },
  { name: 'template-faulty', path: ({ faultyTemplateId }) => `/templates/${faultyTemplateId}` },
  { name: 'template-send', path: ({ templateId }) => `/templates/${templateId}?send=true` },
  { name: 'template-viewer', path: ({ templateId }) => `/templates/${templateId}`, look: { role: 'viewer' } },
  { name: 'template-versions', path: ({ templateId }) => `/templates/${templateId}/versions` },
  {
    name: 'template-versions-first',
    path: ({ templateId }) => `/templates/${templateId}/versions?version=1&against=3&part=rest`,
  },
  { name: 'contacts', path: '/contacts' },
  { name: 'contacts-filtered', path: '/contacts?unsubscribed=true&q=delivered' },
  { name: 'contacts-none', path: '/contacts?q=nobody-at-all' },
  { name: 'contacts-new', path: '/contacts?new=true' },
  { name: 'contacts-viewer', path: '/contacts', look: { role: 'viewer' } },
  { name: 'contact', path: ({ contactId }) => `/contacts/${contactId}` },
  { name: 'contact-edit', path: ({ contactId }) => `/contacts/${contactId}?edit=true` },
  { name: 'contact-erase', path: ({ contactId }) => `/contacts/${contactId}?erase=true` },
  { name: 'contact-viewer', path: ({ contactId }) => `/contacts/${contactId}`, look: { role: 'viewer' } },
  { name: 'imports', path: '/imports/contacts' },
  { name: 'imports-suppressions', path: '/imports/suppressions' },
  { name: 'import', path: ({ importId }) => `/imports/contacts/${importId}` },
  { name: 'lists', path: '/lists' },
  { name: 'lists-new', path: '/lists?new=true' },
  { name: 'list', path: ({ listId }) => `/lists/${listId}` },
  { name: 'segments', path: '/segments' },
  { name: 'segments-new', path: '/segments/new' },
  { name: 'segment', path: ({ segmentId }) => `/segments/${segmentId}` },
  { name: 'segment-edit', path: ({ segmentId }) => `/segments/${segmentId}/edit` },
  { name: 'properties', path: '/properties' },
  { name: 'properties-new', path: '/properties?new=true' },
  { name: 'suppressions', path: '/suppressions' },
  { name: 'suppressions-new', path: '/suppressions?new=true' },
  { name: 'campaigns', path: '/campaigns' },
  { name: 'campaigns-new', path: '/campaigns?new=true' },
  { name: 'campaign', path: ({ campaignId }) => `/campaigns/${campaignId}` },
  { name: 'campaign-scheduled', path: ({ scheduledCampaignId }) => `/campaigns/${scheduledCampaignId}` },
  { name: 'automations', path: '/automations' },
  { name: 'automations-new', path: '/automations?new=true' },
  { name: 'automation', path: ({ automationId }) => `/automations/${automationId}` },
  { name: 'domains', path: '/domains' },
  { name: 'domains-new', path: '/domains?new=true' },
  { name: 'domain-pending', path: ({ pendingDomainId }) => `/domains/${pendingDomainId}` },
  { name: 'senders', path: '/senders' },
  { name: 'senders-new', path: '/senders?new=true' },
  { name: 'api-keys', path: '/api-keys' },
  { name: 'api-keys-new', path: '/api-keys?new=true' },
  { name: 'smtp', path: '/smtp' },
  { name: 'webhooks', path: '/webhooks' },
  { name: 'webhooks-new', path: '/webhooks?new=true' },
  { name: 'webhook', path: ({ webhookId }) => `/webhooks/${webhookId}` },
  {
    name: 'webhook-delivery',
    path: ({ webhookId, deliveryIds }) => `/webhooks/${webhookId}?delivery=${deliveryIds[1]}`,
  },
  { name: 'usage', path: '/usage' },
  { name: 'audit', path: '/audit' },
]

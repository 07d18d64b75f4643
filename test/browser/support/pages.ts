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

/** Every page of the dashboard, in every state that looks different. */
export const PAGES: readonly LookedAt[] = [
  { name: 'login', path: '/app/login', look: { role: null } },
  { name: 'overview', path: '/' },
  { name: 'emails', path: '/emails' },
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

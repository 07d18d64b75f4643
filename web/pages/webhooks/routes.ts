import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../app/lazy-page.ts'
import { teamRoute } from '../../app/roots.tsx'
import { readListSearch, readSearch } from '../../ui/tables/search.ts'

export const webhookRoutes = [
  createRoute({
    getParentRoute: () => teamRoute,
    path: '/webhooks',
    validateSearch: readSearch('new'),
    component: lazyPage(() => import('./webhooks-page.tsx'), 'WebhooksPage'),
  }),
  createRoute({
    getParentRoute: () => teamRoute,
    path: '/webhooks/$webhookId',
    validateSearch: readListSearch('status', 'type', 'edit', 'test', 'replay', 'delivery'),
    component: lazyPage(() => import('./webhook-page.tsx'), 'WebhookPage'),
  }),
] as const

import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../app/lazy-page.ts'
import { teamRoute } from '../../app/roots.tsx'
import { readSearch } from '../../ui/tables/search.ts'

export const campaignRoutes = [
  createRoute({
    getParentRoute: () => teamRoute,
    path: '/campaigns',
    validateSearch: readSearch('status', 'new'),
    component: lazyPage(() => import('./campaigns-page.tsx'), 'CampaignsPage'),
  }),
  createRoute({
    getParentRoute: () => teamRoute,
    path: '/campaigns/$campaignId',
    validateSearch: readSearch('schedule', 'state', 'test', 'contact', 'view'),
    component: lazyPage(() => import('./campaign-page.tsx'), 'CampaignPage'),
  }),
] as const

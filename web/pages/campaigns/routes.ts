import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { teamRoute } from '../../app/roots.tsx'
import { readSearch } from '../../ui/tables/search.ts'

export const campaignRoutes = [
  createRoute({
    getParentRoute: () => teamRoute,
    path: '/campaigns',
    validateSearch: readSearch('status', 'new'),
    component: lazyRouteComponent(() => import('./campaigns-page.tsx'), 'CampaignsPage'),
  }),
  createRoute({
    getParentRoute: () => teamRoute,
    path: '/campaigns/$campaignId',
    validateSearch: readSearch('schedule'),
    component: lazyRouteComponent(() => import('./campaign-page.tsx'), 'CampaignPage'),
  }),
] as const

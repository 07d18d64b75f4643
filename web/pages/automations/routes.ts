import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { teamRoute } from '../../app/roots.tsx'
import { readSearch } from '../../ui/tables/search.ts'

export const automationRoutes = [
  createRoute({
    getParentRoute: () => teamRoute,
    path: '/automations',
    validateSearch: readSearch('new'),
    component: lazyRouteComponent(() => import('./automations-page.tsx'), 'AutomationsPage'),
  }),
  createRoute({
    getParentRoute: () => teamRoute,
    path: '/automations/$automationId',
    component: lazyRouteComponent(() => import('./automation-page.tsx'), 'AutomationPage'),
  }),
] as const

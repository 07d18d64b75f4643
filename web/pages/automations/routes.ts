import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../app/lazy-page.ts'
import { teamRoute } from '../../app/roots.tsx'
import { readSearch } from '../../ui/tables/search.ts'

export const automationRoutes = [
  createRoute({
    getParentRoute: () => teamRoute,
    path: '/automations',
    validateSearch: readSearch('new'),
    component: lazyPage(() => import('./automations-page.tsx'), 'AutomationsPage'),
  }),
  createRoute({
    getParentRoute: () => teamRoute,
    path: '/automations/$automationId',
    validateSearch: readSearch('view', 'status', 'step', 'version', 'contact_id', 'as', 'start'),
    component: lazyPage(() => import('./automation-page.tsx'), 'AutomationPage'),
  }),
  createRoute({
    getParentRoute: () => teamRoute,
    path: '/automations/$automationId/runs/$runId',
    component: lazyPage(() => import('./run-page.tsx'), 'RunPage'),
  }),
] as const

import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { teamRoute } from '../../app/roots.tsx'
import { readSearch } from '../../ui/tables/search.ts'

export const overviewRoutes = [
  createRoute({
    getParentRoute: () => teamRoute,
    path: '/',
    validateSearch: readSearch('range', 'start_date', 'end_date', 'view', 'send', 'start'),
    component: lazyRouteComponent(() => import('./overview-page.tsx'), 'OverviewPage'),
  }),
] as const

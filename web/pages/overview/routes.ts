import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../app/lazy-page.ts'
import { teamRoute } from '../../app/roots.tsx'
import { readSearch } from '../../ui/tables/search.ts'

export const overviewRoutes = [
  createRoute({
    getParentRoute: () => teamRoute,
    path: '/',
    validateSearch: readSearch('range', 'start_date', 'end_date', 'view', 'send', 'start'),
    component: lazyPage(() => import('./overview-page.tsx'), 'OverviewPage'),
  }),
] as const

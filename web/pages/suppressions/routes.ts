import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { teamRoute } from '../../app/roots.tsx'
import { readListSearch } from '../../ui/tables/search.ts'

export const suppressionRoutes = [
  createRoute({
    getParentRoute: () => teamRoute,
    path: '/suppressions',
    validateSearch: readListSearch('q', 'reason', 'new'),
    component: lazyRouteComponent(() => import('./suppressions-page.tsx'), 'SuppressionsPage'),
  }),
] as const

import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../app/lazy-page.ts'
import { teamRoute } from '../../app/roots.tsx'
import { readListSearch } from '../../ui/tables/search.ts'

export const suppressionRoutes = [
  createRoute({
    getParentRoute: () => teamRoute,
    path: '/suppressions',
    validateSearch: readListSearch('q', 'reason', 'new'),
    component: lazyPage(() => import('./suppressions-page.tsx'), 'SuppressionsPage'),
  }),
] as const

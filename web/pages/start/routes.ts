import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../app/lazy-page.ts'
import { teamRoute } from '../../app/roots.tsx'
import { readSearch } from '../../ui/tables/search.ts'

export const startRoutes = [
  createRoute({
    getParentRoute: () => teamRoute,
    path: '/start',
    validateSearch: readSearch('send'),
    component: lazyPage(() => import('./start-page.tsx'), 'StartPage'),
  }),
] as const

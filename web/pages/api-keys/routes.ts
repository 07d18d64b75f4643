import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { teamRoute } from '../../app/roots.tsx'
import { readSearch } from '../../ui/tables/search.ts'

export const apiKeyRoutes = [
  createRoute({
    getParentRoute: () => teamRoute,
    path: '/api-keys',
    validateSearch: readSearch('new', 'edit'),
    component: lazyRouteComponent(() => import('./api-keys-page.tsx'), 'ApiKeysPage'),
  }),
] as const

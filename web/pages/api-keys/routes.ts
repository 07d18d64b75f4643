import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../app/lazy-page.ts'
import { teamRoute } from '../../app/roots.tsx'
import { readSearch } from '../../ui/tables/search.ts'

export const apiKeyRoutes = [
  createRoute({
    getParentRoute: () => teamRoute,
    path: '/api-keys',
    validateSearch: readSearch('new', 'edit'),
    component: lazyPage(() => import('./api-keys-page.tsx'), 'ApiKeysPage'),
  }),
] as const

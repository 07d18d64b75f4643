import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../app/lazy-page.ts'
import { teamRoute } from '../../app/roots.tsx'
import { readListSearch, readSearch } from '../../ui/tables/search.ts'

export const listRoutes = [
  createRoute({
    getParentRoute: () => teamRoute,
    path: '/lists',
    validateSearch: readListSearch('new'),
    component: lazyPage(() => import('./lists-page.tsx'), 'ListsPage'),
  }),
  createRoute({
    getParentRoute: () => teamRoute,
    path: '/lists/$listId',
    validateSearch: readSearch('edit', 'add'),
    component: lazyPage(() => import('./list-page.tsx'), 'ListPage'),
  }),
] as const

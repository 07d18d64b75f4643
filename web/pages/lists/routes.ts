import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { teamRoute } from '../../app/roots.tsx'
import { readListSearch, readSearch } from '../../ui/tables/search.ts'

export const listRoutes = [
  createRoute({
    getParentRoute: () => teamRoute,
    path: '/lists',
    validateSearch: readListSearch('new'),
    component: lazyRouteComponent(() => import('./lists-page.tsx'), 'ListsPage'),
  }),
  createRoute({
    getParentRoute: () => teamRoute,
    path: '/lists/$listId',
    validateSearch: readSearch('edit', 'add'),
    component: lazyRouteComponent(() => import('./list-page.tsx'), 'ListPage'),
  }),
] as const

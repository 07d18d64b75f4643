import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { teamRoute } from '../../app/roots.tsx'
import { readListSearch } from '../../ui/tables/search.ts'

export const domainRoutes = [
  createRoute({
    getParentRoute: () => teamRoute,
    path: '/domains',
    validateSearch: readListSearch('new'),
    component: lazyRouteComponent(() => import('./domains-page.tsx'), 'DomainsPage'),
  }),
  createRoute({
    getParentRoute: () => teamRoute,
    path: '/domains/$domainId',
    component: lazyRouteComponent(() => import('./domain-page.tsx'), 'DomainPage'),
  }),
] as const

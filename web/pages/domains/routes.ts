import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../app/lazy-page.ts'
import { teamRoute } from '../../app/roots.tsx'
import { readListSearch } from '../../ui/tables/search.ts'

export const domainRoutes = [
  createRoute({
    getParentRoute: () => teamRoute,
    path: '/domains',
    validateSearch: readListSearch('new'),
    component: lazyPage(() => import('./domains-page.tsx'), 'DomainsPage'),
  }),
  createRoute({
    getParentRoute: () => teamRoute,
    path: '/domains/$domainId',
    component: lazyPage(() => import('./domain-page.tsx'), 'DomainPage'),
  }),
] as const

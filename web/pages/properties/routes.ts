import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../app/lazy-page.ts'
import { teamRoute } from '../../app/roots.tsx'
import { readSearch } from '../../ui/tables/search.ts'

export const propertyRoutes = [
  createRoute({
    getParentRoute: () => teamRoute,
    path: '/properties',
    validateSearch: readSearch('new', 'edit'),
    component: lazyPage(() => import('./properties-page.tsx'), 'PropertiesPage'),
  }),
] as const

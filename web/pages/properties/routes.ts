import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { teamRoute } from '../../app/roots.tsx'
import { readSearch } from '../../ui/tables/search.ts'

export const propertyRoutes = [
  createRoute({
    getParentRoute: () => teamRoute,
    path: '/properties',
    validateSearch: readSearch('new', 'edit'),
    component: lazyRouteComponent(() => import('./properties-page.tsx'), 'PropertiesPage'),
  }),
] as const

import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../app/roots.tsx'
import { readSearch } from '../../ui/search.ts'

export const accessRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/login',
    validateSearch: readSearch('next'),
    component: lazyRouteComponent(() => import('./login-page.tsx'), 'LoginPage'),
  }),
] as const

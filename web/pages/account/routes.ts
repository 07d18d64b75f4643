import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { insideRoute } from '../../app/roots.tsx'

export const accountRoutes = [
  createRoute({
    getParentRoute: () => insideRoute,
    path: '/account',
    component: lazyRouteComponent(() => import('./account-page.tsx'), 'AccountPage'),
  }),
] as const

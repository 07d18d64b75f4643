import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { teamRoute } from '../../app/roots.tsx'

export const startRoutes = [
  createRoute({
    getParentRoute: () => teamRoute,
    path: '/start',
    component: lazyRouteComponent(() => import('./start-page.tsx'), 'StartPage'),
  }),
] as const

import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { teamRoute } from '../../app/roots.tsx'

export const usageRoutes = [
  createRoute({
    getParentRoute: () => teamRoute,
    path: '/usage',
    component: lazyRouteComponent(() => import('./usage-page.tsx'), 'UsagePage'),
  }),
] as const

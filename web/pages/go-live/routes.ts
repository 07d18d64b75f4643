import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { teamRoute } from '../../app/roots.tsx'

export const goLiveRoutes = [
  createRoute({
    getParentRoute: () => teamRoute,
    path: '/go-live',
    component: lazyRouteComponent(() => import('./go-live-page.tsx'), 'GoLivePage'),
  }),
] as const

import { createRoute, lazyRouteComponent, notFound, redirect } from '@tanstack/react-router'
import { insideRoute } from '../../app/roots.tsx'
import { readSearch } from '../../ui/tables/search.ts'

/** The pages of the installation. Users who are not operators get a 404 page. */
export const operatorRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: '/operator',
  beforeLoad({ context: { session } }) {
    if (!session.user.is_operator) throw notFound()
  },
})

export const operatorRoutes = [
  createRoute({
    getParentRoute: () => operatorRoute,
    path: '/',
    beforeLoad() {
      throw redirect({ to: '/operator/health' })
    },
  }),
  createRoute({
    getParentRoute: () => operatorRoute,
    path: '/health',
    component: lazyRouteComponent(() => import('./health-page.tsx'), 'HealthPage'),
  }),
  createRoute({
    getParentRoute: () => operatorRoute,
    path: '/teams',
    validateSearch: readSearch('q', 'paused', 'new', 'edit', 'pause', 'invite'),
    component: lazyRouteComponent(() => import('./teams-page.tsx'), 'TeamsPage'),
  }),
  createRoute({
    getParentRoute: () => operatorRoute,
    path: '/queue',
    component: lazyRouteComponent(() => import('./queue-page.tsx'), 'QueuePage'),
  }),
  createRoute({
    getParentRoute: () => operatorRoute,
    path: '/sites',
    validateSearch: readSearch('site', 'state', 'pause'),
    component: lazyRouteComponent(() => import('./sites-page.tsx'), 'SitesPage'),
  }),
  createRoute({
    getParentRoute: () => operatorRoute,
    path: '/shaping',
    component: lazyRouteComponent(() => import('./shaping-page.tsx'), 'ShapingPage'),
  }),
  createRoute({
    getParentRoute: () => operatorRoute,
    path: '/nodes',
    component: lazyRouteComponent(() => import('./nodes-page.tsx'), 'NodesPage'),
  }),
] as const

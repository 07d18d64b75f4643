import { createRoute, notFound, redirect } from '@tanstack/react-router'
import { lazyPage } from '../../app/lazy-page.ts'
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
    component: lazyPage(() => import('./health-page.tsx'), 'HealthPage'),
  }),
  createRoute({
    getParentRoute: () => operatorRoute,
    path: '/teams',
    validateSearch: readSearch('q', 'paused', 'new', 'edit', 'pause', 'invite'),
    component: lazyPage(() => import('./teams-page.tsx'), 'TeamsPage'),
  }),
  createRoute({
    getParentRoute: () => operatorRoute,
    path: '/queue',
    component: lazyPage(() => import('./queue-page.tsx'), 'QueuePage'),
  }),
  createRoute({
    getParentRoute: () => operatorRoute,
    path: '/sites',
    validateSearch: readSearch('site', 'state', 'pause'),
    component: lazyPage(() => import('./sites-page.tsx'), 'SitesPage'),
  }),
  createRoute({
    getParentRoute: () => operatorRoute,
    path: '/shaping',
    component: lazyPage(() => import('./shaping-page.tsx'), 'ShapingPage'),
  }),
  createRoute({
    getParentRoute: () => operatorRoute,
    path: '/nodes',
    component: lazyPage(() => import('./nodes-page.tsx'), 'NodesPage'),
  }),
] as const

import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { sessionQuery } from '../../api/session.ts'
import { rootRoute } from '../../app/roots.tsx'
import { readSearch } from '../../ui/tables/search.ts'
import { leadTo } from './next.ts'

export const accessRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/login',
    validateSearch: readSearch('next', 'notice'),
    async beforeLoad({ context: { client }, search }) {
      const session = await client.ensureQueryData(sessionQuery)
      if (session !== null) throw redirect({ ...leadTo((search as { next?: string }).next), replace: true })
    },
    component: lazyRouteComponent(() => import('./login-page.tsx'), 'LoginPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/welcome',
    component: lazyRouteComponent(() => import('./welcome-page.tsx'), 'WelcomePage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/invitation',
    component: lazyRouteComponent(() => import('./invitation-page.tsx'), 'InvitationPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/forgot',
    component: lazyRouteComponent(() => import('./forgot-page.tsx'), 'ForgotPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/reset',
    component: lazyRouteComponent(() => import('./reset-page.tsx'), 'ResetPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/device',
    async beforeLoad({ context: { client }, location }) {
      const session = await client.ensureQueryData(sessionQuery)
      if (session === null) throw redirect({ to: '/login', search: { next: location.href } })
    },
    component: lazyRouteComponent(() => import('./device-page.tsx'), 'DevicePage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/enter',
    component: lazyRouteComponent(() => import('./enter-page.tsx'), 'EnterPage'),
  }),
] as const

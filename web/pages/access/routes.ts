import { createRoute, redirect } from '@tanstack/react-router'
import { sessionQuery } from '../../api/session.ts'
import { lazyPage } from '../../app/lazy-page.ts'
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
    component: lazyPage(() => import('./login-page.tsx'), 'LoginPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/welcome',
    component: lazyPage(() => import('./welcome-page.tsx'), 'WelcomePage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/invitation',
    component: lazyPage(() => import('./invitation-page.tsx'), 'InvitationPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/forgot',
    component: lazyPage(() => import('./forgot-page.tsx'), 'ForgotPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/reset',
    component: lazyPage(() => import('./reset-page.tsx'), 'ResetPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/device',
    async beforeLoad({ context: { client }, location }) {
      const session = await client.ensureQueryData(sessionQuery)
      if (session === null) throw redirect({ to: '/login', search: { next: location.href } })
    },
    component: lazyPage(() => import('./device-page.tsx'), 'DevicePage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/enter',
    component: lazyPage(() => import('./enter-page.tsx'), 'EnterPage'),
  }),
] as const

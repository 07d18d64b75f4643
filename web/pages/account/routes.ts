import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../app/lazy-page.ts'
import { insideRoute } from '../../app/roots.tsx'

export const accountRoutes = [
  createRoute({
    getParentRoute: () => insideRoute,
    path: '/account',
    component: lazyPage(() => import('./account-page.tsx'), 'AccountPage'),
  }),
] as const

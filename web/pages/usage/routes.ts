import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../app/lazy-page.ts'
import { teamRoute } from '../../app/roots.tsx'

export const usageRoutes = [
  createRoute({
    getParentRoute: () => teamRoute,
    path: '/usage',
    component: lazyPage(() => import('./usage-page.tsx'), 'UsagePage'),
  }),
] as const

import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../app/lazy-page.ts'
import { teamRoute } from '../../app/roots.tsx'

export const startRoutes = [
  createRoute({
    getParentRoute: () => teamRoute,
    path: '/start',
    component: lazyPage(() => import('./start-page.tsx'), 'StartPage'),
  }),
] as const

import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../app/lazy-page.ts'
import { teamRoute } from '../../app/roots.tsx'

export const goLiveRoutes = [
  createRoute({
    getParentRoute: () => teamRoute,
    path: '/go-live',
    component: lazyPage(() => import('./go-live-page.tsx'), 'GoLivePage'),
  }),
] as const

import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../app/lazy-page.ts'
import { teamRoute } from '../../app/roots.tsx'

export const segmentRoutes = [
  createRoute({
    getParentRoute: () => teamRoute,
    path: '/segments',
    component: lazyPage(() => import('./segments-page.tsx'), 'SegmentsPage'),
  }),
  createRoute({
    getParentRoute: () => teamRoute,
    path: '/segments/new',
    component: lazyPage(() => import('./edit-page.tsx'), 'NewSegmentPage'),
  }),
  createRoute({
    getParentRoute: () => teamRoute,
    path: '/segments/$segmentId',
    component: lazyPage(() => import('./segment-page.tsx'), 'SegmentPage'),
  }),
  createRoute({
    getParentRoute: () => teamRoute,
    path: '/segments/$segmentId/edit',
    component: lazyPage(() => import('./edit-page.tsx'), 'EditSegmentPage'),
  }),
] as const

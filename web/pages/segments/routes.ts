import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { teamRoute } from '../../app/roots.tsx'

export const segmentRoutes = [
  createRoute({
    getParentRoute: () => teamRoute,
    path: '/segments',
    component: lazyRouteComponent(() => import('./segments-page.tsx'), 'SegmentsPage'),
  }),
  createRoute({
    getParentRoute: () => teamRoute,
    path: '/segments/new',
    component: lazyRouteComponent(() => import('./edit-page.tsx'), 'NewSegmentPage'),
  }),
  createRoute({
    getParentRoute: () => teamRoute,
    path: '/segments/$segmentId',
    component: lazyRouteComponent(() => import('./segment-page.tsx'), 'SegmentPage'),
  }),
  createRoute({
    getParentRoute: () => teamRoute,
    path: '/segments/$segmentId/edit',
    component: lazyRouteComponent(() => import('./edit-page.tsx'), 'EditSegmentPage'),
  }),
] as const

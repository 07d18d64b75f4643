import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { teamRoute } from '../../app/roots.tsx'
import { readSearch } from '../../ui/tables/search.ts'

export const metricsRoutes = [
  createRoute({
    getParentRoute: () => teamRoute,
    path: '/metrics',
    validateSearch: readSearch(
      ...(['range', 'start_date', 'end_date', 'view', 'by'] as const),
      ...(['domain_id', 'template_id', 'tag', 'provider'] as const),
    ),
    component: lazyRouteComponent(() => import('./metrics-page.tsx'), 'MetricsPage'),
  }),
] as const

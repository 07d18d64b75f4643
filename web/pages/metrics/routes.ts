import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../app/lazy-page.ts'
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
    component: lazyPage(() => import('./metrics-page.tsx'), 'MetricsPage'),
  }),
] as const

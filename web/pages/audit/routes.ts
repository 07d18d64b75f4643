import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { teamRoute } from '../../app/roots.tsx'
import { readListSearch } from '../../ui/tables/search.ts'

export const auditRoutes = [
  createRoute({
    getParentRoute: () => teamRoute,
    path: '/audit',
    validateSearch: readListSearch('action', 'actor_id', 'target_id', 'start_date', 'end_date'),
    component: lazyRouteComponent(() => import('./audit-page.tsx'), 'AuditPage'),
  }),
] as const

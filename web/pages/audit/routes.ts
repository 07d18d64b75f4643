import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../app/lazy-page.ts'
import { teamRoute } from '../../app/roots.tsx'
import { readListSearch } from '../../ui/tables/search.ts'

export const auditRoutes = [
  createRoute({
    getParentRoute: () => teamRoute,
    path: '/audit',
    validateSearch: readListSearch('action', 'actor_id', 'target_id', 'start_date', 'end_date'),
    component: lazyPage(() => import('./audit-page.tsx'), 'AuditPage'),
  }),
] as const

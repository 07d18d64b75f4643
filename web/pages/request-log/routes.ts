import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../app/lazy-page.ts'
import { teamRoute } from '../../app/roots.tsx'
import { readListSearch } from '../../ui/tables/search.ts'

export const requestLogRoutes = [
  createRoute({
    getParentRoute: () => teamRoute,
    path: '/requests',
    validateSearch: readListSearch(
      'method',
      'status',
      'endpoint',
      'api_key_id',
      'request_id',
      'start_date',
      'end_date',
      'request',
    ),
    component: lazyPage(() => import('./request-log-page.tsx'), 'RequestLogPage'),
  }),
] as const

import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { teamRoute } from '../../app/roots.tsx'
import { readListSearch, readSearch } from '../../ui/tables/search.ts'

export const emailRoutes = [
  createRoute({
    getParentRoute: () => teamRoute,
    path: '/emails',
    validateSearch: readListSearch(
      'status',
      'to',
      'from',
      'tag',
      'domain_id',
      'template_id',
      'class',
      'start_date',
      'end_date',
      'q',
    ),
    component: lazyRouteComponent(() => import('./emails-page.tsx'), 'EmailsPage'),
  }),
  createRoute({
    getParentRoute: () => teamRoute,
    path: '/emails/$emailId',
    validateSearch: readSearch('tab', 'recipient', 'dialog'),
    component: lazyRouteComponent(() => import('./email-page.tsx'), 'EmailPage'),
  }),
] as const

import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../app/lazy-page.ts'
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
      'tag_value',
      'domain_id',
      'template_id',
      'class',
      'start_date',
      'end_date',
      'q',
    ),
    component: lazyPage(() => import('./emails-page.tsx'), 'EmailsPage'),
  }),
  createRoute({
    getParentRoute: () => teamRoute,
    path: '/emails/$emailId',
    validateSearch: readSearch('tab', 'recipient', 'dialog'),
    component: lazyPage(() => import('./email-page.tsx'), 'EmailPage'),
  }),
] as const

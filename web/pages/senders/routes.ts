import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../app/lazy-page.ts'
import { teamRoute } from '../../app/roots.tsx'
import { readSearch } from '../../ui/tables/search.ts'

export const senderRoutes = [
  createRoute({
    getParentRoute: () => teamRoute,
    path: '/senders',
    validateSearch: readSearch('new', 'edit'),
    component: lazyPage(() => import('./senders-page.tsx'), 'SendersPage'),
  }),
] as const

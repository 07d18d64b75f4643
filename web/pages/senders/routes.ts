import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { teamRoute } from '../../app/roots.tsx'
import { readSearch } from '../../ui/tables/search.ts'

export const senderRoutes = [
  createRoute({
    getParentRoute: () => teamRoute,
    path: '/senders',
    validateSearch: readSearch('new', 'edit'),
    component: lazyRouteComponent(() => import('./senders-page.tsx'), 'SendersPage'),
  }),
] as const

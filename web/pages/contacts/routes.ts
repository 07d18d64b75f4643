import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../app/lazy-page.ts'
import { teamRoute } from '../../app/roots.tsx'
import { readListSearch, readSearch } from '../../ui/tables/search.ts'

export const contactRoutes = [
  createRoute({
    getParentRoute: () => teamRoute,
    path: '/contacts',
    validateSearch: readListSearch('q', 'list_id', 'segment_id', 'unsubscribed', 'new'),
    component: lazyPage(() => import('./contacts-page.tsx'), 'ContactsPage'),
  }),
  createRoute({
    getParentRoute: () => teamRoute,
    path: '/contacts/$contactId',
    validateSearch: readSearch('edit', 'erase'),
    component: lazyPage(() => import('./contact-page.tsx'), 'ContactPage'),
  }),
  createRoute({
    getParentRoute: () => teamRoute,
    path: '/erasures/$erasureId',
    component: lazyPage(() => import('./erasure-page.tsx'), 'ErasurePage'),
  }),
] as const

import { createRoute, notFound } from '@tanstack/react-router'
import { lazyPage } from '../../app/lazy-page.ts'
import { teamRoute } from '../../app/roots.tsx'
import { readSearch } from '../../ui/tables/search.ts'

const KINDS = ['contacts', 'suppressions']

/** Answers `/imports/<kind>` with a 404 page for any other kind. */
function checkKind({ params: { kind } }: { params: { kind: string } }): void {
  if (!KINDS.includes(kind)) throw notFound()
}

export const importRoutes = [
  createRoute({
    getParentRoute: () => teamRoute,
    path: '/imports/$kind',
    beforeLoad: checkKind,
    validateSearch: readSearch('list_id'),
    component: lazyPage(() => import('./import-page.tsx'), 'ImportPage'),
  }),
  createRoute({
    getParentRoute: () => teamRoute,
    path: '/imports/$kind/$importId',
    beforeLoad: checkKind,
    component: lazyPage(() => import('./import-progress-page.tsx'), 'ImportProgressPage'),
  }),
] as const

import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../app/lazy-page.ts'
import { teamRoute } from '../../app/roots.tsx'
import { readSearch } from '../../ui/tables/search.ts'

const page = lazyPage(() => import('./captured-page.tsx'), 'CapturedPage')

export const capturedRoutes = [
  createRoute({ getParentRoute: () => teamRoute, path: '/captured', component: page }),
  createRoute({
    getParentRoute: () => teamRoute,
    path: '/captured/$capturedId',
    validateSearch: readSearch('tab'),
    component: page,
  }),
] as const

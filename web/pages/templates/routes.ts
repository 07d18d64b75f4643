import { createRoute, redirect } from '@tanstack/react-router'
import { lazyPage } from '../../app/lazy-page.ts'
import { teamRoute } from '../../app/roots.tsx'
import { readListSearch, readSearch } from '../../ui/tables/search.ts'

export const templateRoutes = [
  createRoute({
    getParentRoute: () => teamRoute,
    path: '/templates',
    validateSearch: readListSearch('folder', 'q', 'status', 'new', 'move', 'edit_folder'),
    component: lazyPage(() => import('./list/templates-page.tsx'), 'TemplatesPage'),
  }),
  createRoute({
    getParentRoute: () => teamRoute,
    path: '/templates/new',
    beforeLoad: ({ params: { teamId } }) => {
      throw redirect({ to: `/${teamId}/templates`, search: { new: 'true' } as never, replace: true })
    },
  }),
  createRoute({
    getParentRoute: () => teamRoute,
    path: '/templates/$templateId',
    validateSearch: readSearch('view', 'send', 'review', 'part'),
    component: lazyPage(() => import('./editor/template-page.tsx'), 'TemplatePage'),
  }),
  createRoute({
    getParentRoute: () => teamRoute,
    path: '/templates/$templateId/versions',
    validateSearch: readSearch('version', 'against', 'part'),
    component: lazyPage(() => import('./versions/versions-page.tsx'), 'VersionsPage'),
  }),
] as const

import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { teamRoute } from '../../app/roots.tsx'
import { readSearch } from '../../ui/tables/search.ts'

export const settingsRoutes = [
  createRoute({
    getParentRoute: () => teamRoute,
    path: '/settings',
    validateSearch: readSearch('invite'),
    component: lazyRouteComponent(() => import('./settings-page.tsx'), 'SettingsPage'),
  }),
] as const

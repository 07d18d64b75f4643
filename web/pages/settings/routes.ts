import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../app/lazy-page.ts'
import { teamRoute } from '../../app/roots.tsx'
import { readSearch } from '../../ui/tables/search.ts'

export const settingsRoutes = [
  createRoute({
    getParentRoute: () => teamRoute,
    path: '/settings',
    validateSearch: readSearch('invite'),
    component: lazyPage(() => import('./settings-page.tsx'), 'SettingsPage'),
  }),
] as const

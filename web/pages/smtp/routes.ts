import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../app/lazy-page.ts'
import { teamRoute } from '../../app/roots.tsx'

export const smtpRoutes = [
  createRoute({
    getParentRoute: () => teamRoute,
    path: '/smtp',
    component: lazyPage(() => import('./smtp-page.tsx'), 'SmtpPage'),
  }),
] as const

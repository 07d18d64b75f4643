import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { teamRoute } from '../../app/roots.tsx'

export const smtpRoutes = [
  createRoute({
    getParentRoute: () => teamRoute,
    path: '/smtp',
    component: lazyRouteComponent(() => import('./smtp-page.tsx'), 'SmtpPage'),
  }),
] as const

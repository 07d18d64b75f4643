import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, createRoute, notFound, Outlet, redirect } from '@tanstack/react-router'
import { sessionQuery } from '../api/session.ts'
import { lazyPage } from './lazy-page.ts'
import { NotFound } from './not-found.tsx'

/** All pages of the dashboard lie below this route. */
export const rootRoute = createRootRouteWithContext<{ client: QueryClient }>()({
  component: Outlet,
  notFoundComponent: NotFound,
})

/** Pages that require a login. */
export const insideRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'inside',
  async beforeLoad({ context: { client }, location }) {
    const session = await client.ensureQueryData(sessionQuery)
    if (session === null) throw redirect({ to: '/login', search: { next: location.href } })
    return { session }
  },
  component: lazyPage(() => import('./shell.tsx'), 'Shell'),
})

/**
 * Pages of one team. The team's id is part of the address, so a link is complete and two windows can show two teams.
 */
export const teamRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: '/$teamId',
  beforeLoad({ context: { session }, params: { teamId } }) {
    const team = session.teams.find(({ id }) => id === teamId)
    if (team === undefined) throw notFound()
    return { team }
  },
  component: lazyPage(() => import('./team-frame.tsx'), 'TeamFrame'),
  notFoundComponent: NotFound,
})

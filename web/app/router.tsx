import type { QueryClient } from '@tanstack/react-query'
import { createRoute, createRouter, redirect } from '@tanstack/react-router'
import { pathWith } from '../api/request.ts'
import { sessionQuery } from '../api/session.ts'
import { accessRoutes } from '../pages/access/routes.ts'
import { accountRoutes } from '../pages/account/routes.ts'
import { apiKeyRoutes } from '../pages/api-keys/routes.ts'
import { auditRoutes } from '../pages/audit/routes.ts'
import { automationRoutes } from '../pages/automations/routes.ts'
import { campaignRoutes } from '../pages/campaigns/routes.ts'
import { capturedRoutes } from '../pages/captured/routes.ts'
import { contactRoutes } from '../pages/contacts/routes.ts'
import { domainRoutes } from '../pages/domains/routes.ts'
import { emailRoutes } from '../pages/emails/routes.ts'
import { goLiveRoutes } from '../pages/go-live/routes.ts'
import { importRoutes } from '../pages/imports/routes.ts'
import { listRoutes } from '../pages/lists/routes.ts'
import { metricsRoutes } from '../pages/metrics/routes.ts'
import { operatorRoute, operatorRoutes } from '../pages/operator/routes.ts'
import { overviewRoutes } from '../pages/overview/routes.ts'
import { propertyRoutes } from '../pages/properties/routes.ts'
import { requestLogRoutes } from '../pages/request-log/routes.ts'
import { segmentRoutes } from '../pages/segments/routes.ts'
import { senderRoutes } from '../pages/senders/routes.ts'
import { settingsRoutes } from '../pages/settings/routes.ts'
import { smtpRoutes } from '../pages/smtp/routes.ts'
import { startRoutes } from '../pages/start/routes.ts'
import { suppressionRoutes } from '../pages/suppressions/routes.ts'
import { templateRoutes } from '../pages/templates/routes.ts'
import { usageRoutes } from '../pages/usage/routes.ts'
import { webhookRoutes } from '../pages/webhooks/routes.ts'
import { lastTeam } from './last-team.ts'
import { insideRoute, rootRoute, teamRoute } from './roots.tsx'
import { RouteError } from './route-error.tsx'

/** `/app` leads to the team that was last open. */
const startRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  async beforeLoad({ context: { client } }) {
    const session = await client.ensureQueryData(sessionQuery)
    if (session === null) throw redirect({ to: '/login' })
    const last = lastTeam()
    const team = session.teams.find(({ id }) => id === last) ?? session.teams[0]
    throw redirect({ to: team === undefined ? '/account' : `/${team.id}`, replace: true })
  },
})

/** Creates the router with all pages. */
export function createPages(client: QueryClient) {
  const routeTree = rootRoute.addChildren([
    startRoute,
    ...accessRoutes,
    insideRoute.addChildren([
      operatorRoute.addChildren([...operatorRoutes]),
      ...accountRoutes,
      teamRoute.addChildren([
        ...overviewRoutes,
        ...startRoutes,
        ...goLiveRoutes,
        ...emailRoutes,
        ...capturedRoutes,
        ...metricsRoutes,
        ...contactRoutes,
        ...importRoutes,
        ...listRoutes,
        ...segmentRoutes,
        ...propertyRoutes,
        ...suppressionRoutes,
        ...campaignRoutes,
        ...automationRoutes,
        ...domainRoutes,
        ...senderRoutes,
        ...apiKeyRoutes,
        ...smtpRoutes,
        ...webhookRoutes,
        ...requestLogRoutes,
        ...templateRoutes,
        ...usageRoutes,
        ...auditRoutes,
        ...settingsRoutes,
      ]),
    ]),
  ])
  return createRouter({
    routeTree,
    basepath: '/app',
    context: { client },
    // Parameters stay text as written: anyone can write an address, and no page expects numbers or objects.
    parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
    stringifySearch: (search) => pathWith('', search),
    defaultPreload: 'intent',
    // Of the page alone: the frame around it stays, with its navigation and live updates.
    defaultErrorComponent: RouteError,
    defaultPendingMs: 300,
    scrollRestoration: true,
  })
}

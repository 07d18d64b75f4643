import { Box, Button, Title } from '@mantine/core'
import type { QueryClient } from '@tanstack/react-query'
import {
  createRoute,
  createRouter,
  type ErrorComponentProps,
  redirect,
  useRouter,
} from '@tanstack/react-router'
import { useCallback, useEffect } from 'react'
import { isServerUp } from '../api/connection.ts'
import { ApiError } from '../api/errors.ts'
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
import { ErrorNote } from '../ui/page/error-note.tsx'
import { isStale } from '../ui/page/stale.ts'
import { lastTeam } from './last-team.ts'
import { PageCodeError } from './lazy-page.ts'
import { NotFound } from './not-found.tsx'
import { insideRoute, rootRoute, teamRoute } from './roots.tsx'

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

const RETRY_MS = 3_000

/** Shown in place of a page that failed to render. A page whose code is missing opens once the server is back. */
function RouteError({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const retry = useCallback(async () => {
    if (error instanceof PageCodeError) {
      if (!(await isServerUp())) return
      await error.load()
    }
    reset()
    void router.invalidate()
  }, [error, reset, router])
  useEffect(() => {
    if (!(error instanceof PageCodeError)) return
    const timer = window.setInterval(() => void retry(), RETRY_MS)
    return () => window.clearInterval(timer)
  }, [error, retry])
  if (error instanceof ApiError && error.status === 404) return <NotFound />
  return (
    <Box maw={560} mx="auto" my="xl" px="md">
      <Title order={1}>This page could not be shown</Title>
      <ErrorNote error={error} onRetry={() => void retry()} />
      {isStale(error) && <Button onClick={() => void reload()}>Load the new version</Button>}
    </Box>
  )
}

async function reload(): Promise<void> {
  if (await isServerUp()) window.location.reload()
}

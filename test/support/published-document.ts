import { Registry } from 'prom-client'
import { API_TAGS } from '../../src/app/api-tags.ts'
import { API_ROUTES, OPERATOR_ROUTES } from '../../src/app/routes.ts'
import { describeEvents } from '../../src/events/openapi-events.ts'
import { docsRoutes } from '../../src/http/docs/docs-routes.ts'
import { describeApi } from '../../src/http/docs/openapi.ts'
import { healthRoutes } from '../../src/operator/health-routes.ts'

const PUBLIC_URL = 'https://mail.example.com'

/** Returns the OpenAPI document as the server publishes it. */
export function describePublishedApi() {
  const routes = [
    ...API_ROUTES,
    ...OPERATOR_ROUTES,
    ...healthRoutes({ checks: [], registry: new Registry(), metricsToken: 'token' }),
  ]
  return describeApi([...routes, ...docsRoutes(routes, PUBLIC_URL)], PUBLIC_URL, {
    webhooks: describeEvents(),
    tags: API_TAGS,
  })
}

import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, startApi } from '../../test/support/api.ts'
import { listenHere } from '../../test/support/listen-here.ts'
import { createMetrics } from '../http/server/metrics.ts'
import { createMetricsServer } from '../http/server/metrics-server.ts'
import { healthRoutes } from './health-routes.ts'

let api: Api
let isHealthy = true
const metrics = createMetrics()
beforeAll(async () => {
  const check = async () => {
    if (!isHealthy) throw new Error('connect ECONNREFUSED /secret/path')
    return { oldest_ready_seconds: 3 }
  }
  const deps = { checks: [{ name: 'engine', check }], registry: metrics.registry, metricsToken: 'prometheus' }
  api = await startApi({ routes: healthRoutes(deps), server: { metrics } })
})
afterAll(() => api.stop())

test('200 for GET /healthz without a key', async () => {
  const reply = await api.as(null).get('/healthz')
  expect(reply.json).toEqual({ status: 'ok' })
})

test('200 for GET /readyz while all checks pass, 503 without reasons while one fails', async () => {
  const well = await api.as(null).get('/readyz')
  expect(well.json).toEqual({ status: 'ok', checks: { engine: { status: 'ok', oldest_ready_seconds: 3 } } })
  isHealthy = false
  const ill = await api.as(null).get('/readyz')
  expect(ill.status).toBe(503)
  expect(ill.json).toEqual({ status: 'unavailable', checks: { engine: { status: 'unavailable' } } })
})

test('200 for GET /metrics, only with its token', async () => {
  expect((await api.as(null).get('/metrics')).status).toBe(401)
  expect((await api.as('wrong').get('/metrics')).status).toBe(401)
  const reply = await api.as('prometheus').get('/metrics')
  expect(reply.headers.get('content-type')).toContain('text/plain')
  expect(reply.text).toContain('sendwright_http_requests_total{method="GET",route="/healthz",status="200"} 1')
})

test('401 for GET /metrics on the main port when no token is configured, with or without a key', async (t) => {
  const closed = await startApi({
    routes: healthRoutes({ checks: [], registry: metrics.registry, metricsToken: null }),
  })
  t.onTestFinished(() => closed.stop())
  expect((await closed.as(null).get('/metrics')).status).toBe(401)
  expect((await (await closed.givenTeam()).get('/metrics')).status).toBe(404)
})

test('200 for GET /metrics on its separate port, 404 for anything else there', async (t) => {
  const { url, close } = await listenHere(createMetricsServer(metrics.registry))
  t.onTestFinished(close)
  expect(await (await fetch(`${url}/metrics`)).text()).toContain('sendwright_process_cpu')
  expect((await fetch(`${url}/healthz`)).status).toBe(404)
})

import { createServer, type Server } from 'node:http'
import type { MetricsText } from './metrics.ts'

/**
 * Serves `GET /metrics` on a separate port (SENDWRIGHT_METRICS_PORT) without a token, so the port must not be public.
 */
export function createMetricsServer(registry: MetricsText): Server {
  return createServer((request, response) => {
    if (request.method !== 'GET' || request.url?.split('?', 1)[0] !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    registry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    )
  })
}

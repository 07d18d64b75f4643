import { getHttpOperationsFromSpec } from '@stoplight/prism-http'
import { createServer } from '@stoplight/prism-http-server'
import pino from 'pino'

export interface ContractProxy {
  url: string
  close(): Promise<void>
}

/**
 * Starts Prism as a validating proxy in front of an API. It validates every response (and, on request, every request)
 * against the API's OpenAPI document, and reports violations in the response header `sl-violations`.
 */
export async function startContractProxy(
  upstream: string,
  { validateRequest = false } = {},
): Promise<ContractProxy> {
  const operations = await getHttpOperationsFromSpec(`${upstream}/openapi.json`)
  const server = createServer(operations, {
    cors: false,
    config: {
      isProxy: true,
      upstream: new URL(upstream),
      upstreamProxy: undefined,
      checkSecurity: true,
      validateRequest,
      validateResponse: true,
      errors: false,
      mock: { dynamic: false },
    },
    components: { logger: pino({ level: 'silent' }) },
  })
  const url = await server.listen(0, '127.0.0.1')
  return { url, close: () => server.close() }
}

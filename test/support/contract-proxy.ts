import { getHttpOperationsFromSpec } from '@stoplight/prism-http'
import { createServer } from '@stoplight/prism-http-server'
import pino from 'pino'

export interface ContractProxy {
  url: string
  close(): Promise<void>
}

/**
 * Prism as a validating proxy before an API: every answer that passes (and every request, where asked for) is held against
 * the API's own OpenAPI document; what does not fit is told in the header `sl-violations` of the answer.
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

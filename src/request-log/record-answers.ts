import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ClientAddress } from '../http/connections/client-address.ts'
import { browserOf } from '../http/route/browser-of.ts'
import type { AnsweredRequest } from './answered-request.ts'
import { documentedPath, recordedPath } from './recorded-path.ts'

const METHOD_NOT_ALLOWED = 405

export type RecordAnswer = (request: AnsweredRequest) => void

/**
 * Passes each answered request with an API key to `record`. A request without a valid key belongs to no team. One whose
 * client closed the connection before the response was complete is not passed on.
 */
export function recordAnswers(
  app: FastifyInstance,
  record: RecordAnswer,
  clientAddress: ClientAddress,
): void {
  const routes = new Map<string, string>()
  const documented = (path: string): string => {
    const route = routes.get(path) ?? documentedPath(path)
    routes.set(path, route)
    return route
  }

  app.addHook('onResponse', (request, reply, done) => {
    const { caller, routeOptions } = request
    if (caller !== null && caller.keyId !== null && request.isLoggedInside !== true) {
      // A 405 on `/emails/mime` came through the route of `/emails/:id`, and belongs to neither.
      const hasRoute = !request.is404 && reply.statusCode !== METHOD_NOT_ALLOWED
      const routePath = hasRoute ? (routeOptions.url ?? null) : null
      record({
        ...describe(request, reply),
        teamId: caller.teamId,
        apiKeyId: caller.keyId,
        route: routePath === null ? null : documented(routePath),
        path: recordedPath(routePath, request.params as Record<string, unknown>, request.url),
        ...browserOf({ headers: request.headers, ipAddress: clientAddress(request.raw) }),
      })
    }
    done()
  })
}

function describe(request: FastifyRequest, reply: FastifyReply) {
  return {
    id: request.id,
    method: request.method,
    status: reply.statusCode,
    durationMs: Math.round(reply.elapsedTime),
    requestBytes: lengthOf(request.headers['content-length']),
    responseBytes: lengthOf(reply.getHeader('content-length')),
    recordId: request.recordId,
    error: request.errorBody,
  }
}

function lengthOf(header: unknown): number | null {
  const length = header === undefined ? Number.NaN : Number(header)
  return Number.isSafeInteger(length) && length >= 0 ? length : null
}

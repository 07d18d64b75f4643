/** JSON-RPC 2.0, as far as MCP uses it: single messages with an id (requests) or without (notifications). */
export interface RpcRequest {
  id: string | number | null
  method: string
  params: Readonly<Record<string, unknown>>
}

/** The codes of JSON-RPC 2.0 section 5.1. */
export const RPC_ERRORS = { invalidRequest: -32_600, unknownMethod: -32_601, invalidParams: -32_602 } as const

/** The response repeats the id. Clients use numbers or UUIDs. */
const ID_CHARS_MAX = 256

/** A failure that the protocol itself answers. Failures of a tool are results. */
export class RpcError extends Error {
  readonly code: number

  constructor(code: keyof typeof RPC_ERRORS, message: string) {
    super(message)
    this.name = 'RpcError'
    this.code = RPC_ERRORS[code]
  }
}

/**
 * Returns the request of a body; `id` is null for a notification, and for a response of the client, whose method is
 * empty. Throws RpcError. Batches are not part of the protocol since 2025-06-18.
 */
export function readRpc(body: unknown): RpcRequest {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new RpcError('invalidRequest', 'The body must be one JSON-RPC message.')
  }
  const { jsonrpc, id, method, params = {} } = body as Record<string, unknown>
  if (jsonrpc !== '2.0') throw new RpcError('invalidRequest', 'The field jsonrpc must be "2.0".')
  const isId = typeof id === 'number' || (typeof id === 'string' && id.length <= ID_CHARS_MAX)
  if (id !== undefined && !isId) {
    throw new RpcError(
      'invalidRequest',
      `The id must be a number, or a string of at most ${ID_CHARS_MAX} characters.`,
    )
  }
  if (method === undefined && ('result' in body || 'error' in body))
    return { id: null, method: '', params: {} }
  if (typeof method !== 'string') throw new RpcError('invalidRequest', 'The method must be a string.')
  if (typeof params !== 'object' || params === null || Array.isArray(params)) {
    throw new RpcError('invalidRequest', 'The params must be an object.')
  }
  return { id: id ?? null, method, params: params as Record<string, unknown> }
}

export const rpcResult = (id: RpcRequest['id'], result: unknown) => ({ jsonrpc: '2.0', id, result })

export const rpcError = (id: RpcRequest['id'], { code, message }: RpcError) => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
})

import type { Route } from '../http/route/route.ts'
import type { CompiledTool } from './compile-tool.ts'
import { confirmationOf } from './confirmation.ts'
import { findOutside, writeResult } from './outside-content.ts'

/** A request that the HTTP server handles as if it came from the network: key, rate limit, audit and all. */
export interface InnerRequest {
  method: Route['method']
  url: string
  headers: Record<string, string>
  payload?: string
  remoteAddress?: string
}

export interface InnerReply {
  statusCode: number
  headers: Readonly<Record<string, unknown>>
  payload: string
}

export type CallRoute = (request: InnerRequest) => Promise<InnerReply>

/** The parts of the outer request that the inner one keeps. */
export interface CallContext {
  authorization: string
  userAgent: string | undefined
  ipAddress: string
  callRoute: CallRoute
  routes: readonly Route[]
}

/** The result of `tools/call`. A failure is a result, so that the agent reads it and can correct its call. */
export interface ToolResult {
  content: { type: 'text'; text: string }[]
  isError?: true
  _meta?: Record<string, unknown>
}

type Arguments = Readonly<Record<string, unknown>>

/** A larger response is not parsed: it would hold up the process, and no agent can use it. */
const RESPONSE_BYTES_MAX = 1024 * 1024

export async function callTool(
  tool: CompiledTool,
  args: Arguments,
  context: CallContext,
): Promise<ToolResult> {
  const wrong = findWrongArgument(tool, args)
  if (wrong !== null) return failure(wrong)
  const reason = confirmationOf(tool.route, args)
  if (reason !== null) {
    return failure(`${reason} Nothing was done. Ask the user, then call the tool again with confirm: true.`)
  }
  const path = fillPath(tool, args)
  if (path === null || isOfAnotherRoute(tool.route, path, context.routes)) return failure('Not found.')
  return readReply(tool, await context.callRoute(requestOf(tool, path, args, context)))
}

/** Unknown arguments are errors here, although requests ignore unknown fields: an agent guesses names. */
function findWrongArgument(tool: CompiledTool, args: Arguments): string | null {
  const known = new Set([...tool.params, ...tool.query, ...tool.body])
  if (tool.takesKey) known.add('idempotency_key')
  if (tool.takesConfirm) known.add('confirm')
  const unknown = Object.keys(args).find((name) => !known.has(name))
  if (unknown !== undefined) return `The tool has no argument ${JSON.stringify(unknown.slice(0, 100))}.`
  const missing = tool.params.find((name) => !isPathValue(args[name]))
  if (missing !== undefined) return `The argument ${missing} must be a string that is not empty.`
  // As text, all objects are the same: one key for different emails, of which only the first would be sent.
  const { idempotency_key: key } = args
  if (key !== undefined && typeof key !== 'string') return 'The argument idempotency_key must be a string.'
  const nested = tool.query.find((name) => [args[name]].flat().some(isObject))
  return nested === undefined ? null : `The argument ${nested} must not be an object.`
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null

/** Text with half a character cannot be written in a URL. */
const isPathValue = (value: unknown) => typeof value === 'string' && value !== '' && value.isWellFormed()

/** Returns the path, or null if a value would change it, as `..` does. */
function fillPath({ route }: CompiledTool, args: Arguments): string | null {
  const parts = route.path
    .split('/')
    .map((part) => (part.startsWith(':') ? encodeURIComponent(String(args[part.slice(1)])) : part))
  const path = parts.join('/')
  return new URL(path, 'http://localhost').pathname === path ? path : null
}

/** Returns whether the path leads elsewhere: `/contacts/export` is not a contact. */
function isOfAnotherRoute(route: Route, path: string, routes: readonly Route[]): boolean {
  const parts = path.split('/')
  return routes.some((other) => {
    if (other.method !== route.method || !precedes(other, route)) return false
    const forms = other.path.split('/')
    return (
      forms.length === parts.length &&
      forms.every((form, index) => form.startsWith(':') || form === parts[index])
    )
  })
}

/** Returns whether the server prefers a route to another that the same path matches: fixed parts go before parameters. */
function precedes(first: Route, second: Route): boolean {
  const [of, than] = [first, second].map(({ path }) => path.split('/').map((form) => form.startsWith(':')))
  const at = (of ?? []).findIndex((isParam, index) => isParam !== than?.[index])
  return at >= 0 && of?.[at] === false
}

function requestOf(
  tool: CompiledTool,
  path: string,
  args: Arguments,
  { authorization, userAgent, ipAddress }: CallContext,
): InnerRequest {
  const { method } = tool.route
  const query = queryOf(tool.query.filter((name) => args[name] != null).map((name) => [name, args[name]]))
  const key = args.idempotency_key
  const body = Object.fromEntries(
    tool.body.filter((name) => Object.hasOwn(args, name)).map((name) => [name, args[name]]),
  )
  const hasBody = tool.body.length > 0
  return {
    method,
    url: query === '' ? path : `${path}?${query}`,
    headers: {
      authorization,
      ...(userAgent !== undefined && { 'user-agent': userAgent }),
      ...(key !== undefined && { 'idempotency-key': key as string }),
      ...(hasBody && { 'content-type': 'application/json' }),
    },
    ...(hasBody && { payload: JSON.stringify(body) }),
    ...(ipAddress !== '' && { remoteAddress: ipAddress }),
  }
}

function queryOf(values: readonly [string, unknown][]): string {
  const query = new URLSearchParams()
  for (const [name, value] of values) {
    for (const each of Array.isArray(value) ? value : [value]) query.append(name, String(each))
  }
  return query.toString()
}

function readReply({ route }: CompiledTool, { statusCode, headers, payload }: InnerReply): ToolResult {
  if (payload.length > RESPONSE_BYTES_MAX) {
    const request = `${route.method} ${route.path}`
    return failure(`The response is too large for a tool: ${payload.length} characters. Use ${request}.`)
  }
  const value: unknown = JSON.parse(payload)
  const isError = statusCode >= 400
  // The message of an error repeats only what the agent sent.
  const outside = isError ? [] : findOutside(value)
  return {
    content: [{ type: 'text', text: writeResult(value, outside) }],
    ...(isError && { isError: true as const }),
    _meta: {
      'sendwright/status': statusCode,
      'sendwright/request_id': headers['x-request-id'],
      ...(outside.length > 0 && { 'sendwright/outside': outside }),
    },
  }
}

const failure = (text: string): ToolResult => ({ content: [{ type: 'text', text }], isError: true })

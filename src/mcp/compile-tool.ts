import type { Schema } from '../http/json/shape.ts'
import { type Route, takesIdempotencyKey } from '../http/route/route.ts'
import { describeConfirm } from './confirmation.ts'
import type { Tool } from './tools.ts'

/** A tool as `tools/list` shows it (MCP 2025-11-25, server/tools). */
export interface ToolJson {
  name: string
  title: string
  description: string
  inputSchema: object
  annotations: {
    title: string
    readOnlyHint: boolean
    destructiveHint: boolean
    idempotentHint: boolean
    openWorldHint: boolean
  }
}

/** Where the arguments of a tool go in its request. */
export interface CompiledTool {
  route: Route
  json: ToolJson
  params: readonly string[]
  query: readonly string[]
  body: readonly string[]
  /** Whether `idempotency_key` and `confirm` are arguments. */
  takesKey: boolean
  takesConfirm: boolean
}

interface ObjectSchema {
  properties?: Record<string, Schema>
  required?: readonly string[]
}

/** Returns the tools with their routes. Throws if a route is missing or its arguments do not fit into one object. */
export function compileTools(tools: readonly Tool[], routes: readonly Route[]): CompiledTool[] {
  return tools.map((tool) => {
    const route = routes.find((each) => each.operationId === tool.operationId && each.aliasOf === undefined)
    if (route === undefined) throw new Error(`No route is called ${tool.operationId}.`)
    if (!PERMISSIONS.has(route.permission)) throw new Error(`${tool.name} is not for API keys.`)
    return compileTool(tool, route)
  })
}

/** The permissions that API keys have. */
const PERMISSIONS: ReadonlySet<Route['permission']> = new Set(['send', 'full'])

export function compileTool(tool: Tool, route: Route): CompiledTool {
  const parts = [route.params, route.query, route.body].map((schema) => (schema ?? {}) as ObjectSchema)
  const [params = [], query = [], body = []] = parts.map(({ properties }) => Object.keys(properties ?? {}))
  const takesKey = takesIdempotencyKey(route)
  const confirm = describeConfirm(route)
  const own: Record<string, Schema & { description: string }> = {
    ...(takesKey && { idempotency_key: IDEMPOTENCY_KEY }),
    ...(confirm !== null && { confirm: { type: 'boolean', description: confirm } }),
  }
  const names = [...params, ...query, ...body, ...Object.keys(own)]
  if (new Set(names).size < names.length) throw new Error(`Two arguments of ${tool.name} have one name.`)
  const properties = Object.assign({}, ...parts.map((part) => part.properties ?? {}), own)
  const required = parts.flatMap((part) => part.required ?? [])
  const inputSchema = {
    type: 'object',
    properties: withoutExamples(properties),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  }
  const takesConfirm = confirm !== null
  return { route, json: describe(tool, route, inputSchema), params, query, body, takesKey, takesConfirm }
}

const IDEMPOTENCY_KEY = {
  type: 'string',
  description:
    'A new value for each email or event. A repeated call with the same value sends nothing again.',
}

function describe(tool: Tool, route: Route, inputSchema: object): ToolJson {
  const { method, summary, description = '' } = route
  const isReadOnly = method === 'GET' || route.changesNothing === true || route.limit === 'validate'
  const overwrites = method === 'DELETE' || method === 'PUT' || method === 'PATCH'
  return {
    name: tool.name,
    title: summary,
    description: [`${summary}.`, description, tool.hint ?? ''].filter((text) => text !== '').join(' '),
    inputSchema,
    annotations: {
      title: summary,
      readOnlyHint: isReadOnly,
      destructiveHint: !isReadOnly && (overwrites || tool.isDestructive === true),
      idempotentHint: isReadOnly || overwrites,
      openWorldHint: tool.isOpenWorld === true,
    },
  }
}

/** Titles and examples take a third of the room. Keywords of our own mean nothing to clients. */
const isLeftOut = (name: string) => name === 'title' || name === 'examples' || name.startsWith('x-')

function withoutExamples(fields: Record<string, Schema>): object {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, copySchema(field)]))
}

function copySchema(schema: Schema): object {
  const rest: Schema = Object.fromEntries(Object.entries(schema).filter(([name]) => !isLeftOut(name)))
  return {
    ...rest,
    ...(rest.properties !== undefined && { properties: withoutExamples(rest.properties) }),
    ...(rest.patternProperties !== undefined && {
      patternProperties: withoutExamples(rest.patternProperties),
    }),
    ...(rest.items !== undefined && { items: copySchema(rest.items) }),
    ...(rest.anyOf !== undefined && { anyOf: rest.anyOf.map(copySchema) }),
  }
}

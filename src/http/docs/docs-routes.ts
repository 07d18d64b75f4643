import Type from 'typebox'
import { constantReply } from '../route/constant-reply.ts'
import { type Route, route } from '../route/route.ts'
import { type ApiNotes, describeApi } from './openapi.ts'

const OpenApi = Type.Object(
  { openapi: Type.String({ description: 'Version of OpenAPI, which defines the rest.' }) },
  { title: 'OpenApiDocument', examples: [{ openapi: '3.1.0' }] },
)

const common = { area: 'reference', permission: 'public' } as const

/** Returns `GET /openapi.json`, of the given routes and these, and `GET /docs`, which leads to the documentation site. */
export function docsRoutes(
  routes: readonly Route[],
  publicUrl: string,
  notes: ApiNotes = {},
): readonly Route<unknown>[] {
  const openapi = route('GET', '/openapi.json', {
    ...common,
    operationId: 'getOpenApi',
    summary: 'Get the OpenAPI document',
    description: 'This API as an OpenAPI 3.1 document.',
    responses: { 200: { description: 'The document.', schema: OpenApi } },
    handle: ({ headers }) => answerOpenApi(headers),
  })
  const docs = route('GET', '/docs', {
    ...common,
    operationId: 'getDocs',
    summary: 'Read the documentation',
    description: 'Redirects to the guides and the API reference.',
    responses: { 302: { description: 'The documentation.', type: 'text/plain' } },
    // Relative, because a proxy may serve all of this below another path.
    handle: async () => ({ status: 302, bytes: '', type: 'text/plain', headers: { location: 'docs/' } }),
  })
  const own = [openapi, docs]
  const document = describeApi([...routes, ...own], publicUrl, notes)
  const type = 'application/json; charset=utf-8'
  const answerOpenApi = constantReply({ type, read: () => JSON.stringify(document) })
  return own
}

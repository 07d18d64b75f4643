import Type from 'typebox'
import { type Route, route } from '../route.ts'
import { docsPolicy, renderDocs } from './docs-page.ts'
import { describeApi } from './openapi.ts'
import type { JsonObject } from './openapi-json.ts'

const OpenApi = Type.Object(
  { openapi: Type.String({ description: 'The version of OpenAPI; the rest is as that says.' }) },
  { examples: [{ openapi: '3.1.0' }] },
)

const common = { tag: 'Description', permission: 'public', limit: 'general' } as const

/** `GET /openapi.json` and `GET /docs`, made once from the routes they describe (and these two). */
export function docsRoutes(
  routes: readonly Route[],
  publicUrl: string,
  webhooks?: JsonObject,
): readonly Route<unknown>[] {
  const openapi = route('GET', '/openapi.json', {
    ...common,
    summary: 'This interface as an OpenAPI 3.1 document',
    responses: { 200: { description: 'The document.', schema: OpenApi } },
    handle: async () => ({ status: 200, json: document }),
  })
  const docs = route('GET', '/docs', {
    ...common,
    summary: 'This interface as a page to read',
    responses: { 200: { description: 'The page.', type: 'text/html' } },
    handle: async () => ({ status: 200, bytes: page, type: 'text/html; charset=utf-8', headers }),
  })
  const document = describeApi([...routes, openapi, docs], publicUrl, webhooks)
  const page = renderDocs(document)
  const headers = { 'content-security-policy': docsPolicy() }
  return [openapi, docs]
}

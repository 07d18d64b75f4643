import Type from 'typebox'
import { ApiError } from '../../lib/api-error.ts'
import { constantReply } from '../route/constant-reply.ts'
import { type Route, route } from '../route/route.ts'
import { docsPolicy, renderDocs } from './docs-page.ts'
import { type ApiNotes, describeApi } from './openapi.ts'
import type { ReadSite } from './site.ts'

const OpenApi = Type.Object(
  { openapi: Type.String({ description: 'Version of OpenAPI, which defines the rest.' }) },
  { title: 'OpenApiDocument', examples: [{ openapi: '3.1.0' }] },
)

const GroupParams = Type.Object({
  group: Type.String({ description: 'Group of endpoints: `emails`, `api-keys`, ...' }),
})

const common = { tag: 'Reference', permission: 'public', limit: 'general' } as const
const HTML = 'text/html; charset=utf-8'
const JSON_TYPE = 'application/json; charset=utf-8'

/**
 * Returns `GET /openapi.json` and the pages under `/docs`, of the given routes and these. Each is rendered at its first request.
 * @param readSite finds pages of the documentation site, whose names never are those of a group
 */
export function docsRoutes(
  routes: readonly Route[],
  publicUrl: string,
  notes: ApiNotes = {},
  readSite: ReadSite = async () => null,
): readonly Route<unknown>[] {
  const openapi = route('GET', '/openapi.json', {
    ...common,
    operationId: 'getOpenApi',
    summary: 'Get the OpenAPI document',
    description: 'This API as an OpenAPI 3.1 document.',
    responses: { 200: { description: 'The document.', schema: OpenApi } },
    handle: ({ headers: asked }) => answerOpenApi(asked),
  })
  const overview = route('GET', '/docs', {
    ...common,
    operationId: 'getDocs',
    summary: 'Read the API reference',
    description: 'The overview: authentication, errors, and all endpoints by group.',
    responses: { 200: { description: 'The page.', type: 'text/html' } },
    handle: ({ headers: asked }) => answerOverview(asked),
  })
  const group = route('GET', '/docs/:group', {
    ...common,
    operationId: 'getDocsGroup',
    summary: 'Read a group of the API reference',
    description: 'The endpoints of one group, with their fields and examples.',
    params: GroupParams,
    responses: { 200: { description: 'The page.', type: 'text/html' } },
    async handle({ params, headers: asked }) {
      const answerGroup = answers.get(params.group)
      if (answerGroup !== undefined) return answerGroup(asked)
      const page = await readSite(params.group, asked)
      if (page === null) throw new ApiError('not_found')
      return page
    },
  })
  const own = [openapi, overview, group]
  const document = describeApi([...routes, ...own], publicUrl, notes)
  const pages = renderDocs(document)
  const headers = { 'content-security-policy': docsPolicy() }
  const answerOpenApi = constantReply({ type: JSON_TYPE, read: () => JSON.stringify(document) })
  const answerOverview = constantReply({ type: HTML, headers, read: pages.overview })
  const answers = new Map(
    [...pages.groups].map(([slug, read]) => [slug, constantReply({ type: HTML, headers, read })]),
  )
  return own
}

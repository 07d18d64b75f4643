import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { lookup } from 'mime-types'
import { ApiError } from '../../lib/api-error.ts'
import { readCodings } from '../route/codings.ts'
import { isKnown } from '../route/constant-reply.ts'
import { type Reply, type Request, type Route, route } from '../route/route.ts'

/** Returns a file of the documentation site for a request, or null. The path is relative to the site. */
export type ReadSite = (path: string, headers: Headers) => Promise<Reply | null>

type Headers = Request<unknown, unknown, unknown>['headers']

/**
 * A path of names with letters, digits, and dots inside. It can name nothing outside the site, and no hidden file. The
 * compressed copies are not files of their own.
 */
const PATH = /^(?!.*\.br$)[\w-]+(\.[\w-]+)*(\/[\w-]+(\.[\w-]+)*)*$/
const PATH_LENGTH_MAX = 200

/** Scripts, styles and images are files of the site. Nothing is inline, and nothing comes from another host. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const NOT_BUILT = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>Sendwright documentation</title></head>
<body><h1>The documentation is not built here</h1>
<p>The npm package and the image contain it. In a clone, the first <code>npm start</code> builds it within a minute, and
<code>npm run docs</code> builds it again. Then reload this page.</p>
<p>Without it, there are <a href="../llms.txt">all guides as text</a> and the <a href="../openapi.json">OpenAPI document</a>.</p></body></html>`

const NO_SITE: Reply = {
  status: 404,
  bytes: NOT_BUILT,
  type: 'text/html; charset=utf-8',
  headers: { 'content-security-policy': POLICY },
}

/** Returns a reader of the files that site/build.ts wrote. A later build is served without a restart. */
export function createSiteReader(folder: string): ReadSite {
  return async function readSite(path, headers) {
    const name = path === '' || path.endsWith('/') ? `${path}index.html` : path
    if (name.length > PATH_LENGTH_MAX || !PATH.test(name)) return null
    const file = join(folder, name)
    const stats = await statFile(file)
    if (stats === null) return null
    const entityTag = `"${stats.size.toString(36)}-${Math.round(stats.mtimeMs).toString(36)}"`
    const common = {
      'cache-control': 'public, no-cache',
      'content-security-policy': POLICY,
      'cross-origin-resource-policy': 'same-origin',
      etag: entityTag,
      vary: 'accept-encoding',
    }
    const type = typeOf(name)
    if (isKnown(headers, entityTag)) return { status: 304, bytes: '', type, headers: common }
    const packed = readCodings(headers['accept-encoding']).has('br') ? await readIfThere(`${file}.br`) : null
    if (packed === null) return { status: 200, bytes: await readFile(file), type, headers: common }
    return { status: 200, bytes: packed, type, headers: { ...common, 'content-encoding': 'br' } }
  }
}

/** Returns the routes of the site below `/docs/`. A group of the API reference is found by its name alone, as in old links. */
export function docsSiteRoutes(readSite: ReadSite): readonly Route<unknown>[] {
  const common = {
    area: 'reference',
    permission: 'public',
    summary: 'Read the documentation',
    responses: { 200: { description: 'The page.', type: 'text/html' } },
  } as const
  const home = route('GET', '/docs/', {
    ...common,
    handle: async ({ headers }) => (await readSite('', headers)) ?? NO_SITE,
  })
  const page = route('GET', '/docs/*', {
    ...common,
    async handle({ params, headers }) {
      const path = String((params as Record<string, unknown>)['*'])
      const reply = await readSite(path, headers)
      if (reply !== null) return reply
      const reference = `api/${path}.html`
      if (path.includes('/') || (await readSite(reference, headers)) === null) throw new ApiError('not_found')
      return { status: 302, bytes: '', type: 'text/plain', headers: { location: reference } }
    },
  })
  return [home, page]
}

/** Examples of settings are shown and not downloaded. */
function typeOf(name: string): string {
  const type = name.startsWith('files/') && !/\.(png|svg)$/.test(name) ? 'text/plain' : lookup(name)
  return /^text\/|javascript|json/.test(type || '')
    ? `${type}; charset=utf-8`
    : type || 'application/octet-stream'
}

async function statFile(file: string) {
  const stats = await ifThere(stat(file))
  return stats?.isFile() === true ? stats : null
}

const readIfThere = (file: string) => ifThere(readFile(file))

async function ifThere<T>(promise: Promise<T>): Promise<T | null> {
  try {
    return await promise
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as { code?: string }).code ?? '')) return null
    throw error
  }
}

import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { lookup } from 'mime-types'
import { COMMON_HEADERS } from '../route/answer.ts'
import { readCodings } from '../route/codings.ts'

/** How long the result of a disk check is reused. */
const RECHECK_MS = 500

/**
 * The policy of the dashboard's pages. Scripts are our own files, and nothing is sent to another host. Inline styles
 * are allowed, because the component library and the frames that show emails write some. Such a frame inherits this
 * policy and is sandboxed as well: scripts of an email never run, and its remote images are never loaded.
 */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "frame-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

const PAGE_HEADERS = {
  ...COMMON_HEADERS,
  'content-security-policy': PAGE_POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'x-frame-options': 'DENY',
}

/** The names of assets contain a hash of their content. */
const ASSET_HEADERS = {
  ...COMMON_HEADERS,
  'cache-control': 'public, max-age=31536000, immutable',
  'cross-origin-resource-policy': 'same-origin',
}
/** Assets with a fixed name. */
const ICON_HEADERS = { ...ASSET_HEADERS, 'cache-control': 'public, max-age=86400' }

const NOT_BUILT = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark">
<meta http-equiv="refresh" content="2"><title>Sendwright</title></head>
<body style="font: 16px/1.5 system-ui, sans-serif; max-width: 34em; margin: 20vh auto; padding: 0 1em">
<h1 style="font-size: 20px">The dashboard is being built</h1>
<p>This happens once after an install or an upgrade, and takes some seconds; this page shows it as soon as it is there.
Email is accepted and delivered meanwhile.</p>
<p>If this page stays, <code>npm run build:web</code> in Sendwright's folder says why.</p>
</body></html>`

interface File {
  bytes: Buffer
  type: string
  /** Compressed by the build. Null: it would not become smaller. */
  brotli: Buffer | null
  /** For browsers without brotli, which do not ask for it over plain HTTP. Null: nobody asked yet. */
  gzip: Buffer | null
}

interface Built {
  page: File
  assets: ReadonlyMap<string, File>
}

/**
 * Serves the dashboard: one page for `/app` and all paths below it, and a redirect from `/`. Reads the files once
 * they exist, and again after a new build, which runs beside the server (bin/start.mjs).
 */
export function serveDashboard(app: FastifyInstance, folder: string): void {
  const readBuild = createBuildReader(folder)
  app.get('/', (_request, reply) => reply.headers(PAGE_HEADERS).redirect('/app', 302))
  for (const path of ['/app', '/app/*']) {
    app.get(path, (request, reply) => {
      const build = readBuild()
      reply.headers(PAGE_HEADERS)
      if (build !== null) return sendFile(request, reply, build.page)
      return reply.code(503).header('retry-after', 2).type('text/html; charset=utf-8').send(NOT_BUILT)
    })
  }
  app.get('/assets/*', (request, reply) => {
    const name = (request.params as { '*': string })['*']
    const file = readBuild()?.assets.get(name)
    if (file === undefined) return reply.callNotFound()
    return sendFile(request, reply.headers(name === 'icon.svg' ? ICON_HEADERS : ASSET_HEADERS), file)
  })
}

/**
 * Returns the current build. Checks the disk now and then, not on every request: after an upgrade, the old files
 * remain until the new build is complete.
 */
function createBuildReader(folder: string): () => Built | null {
  let build: Built | null = null
  let buildStamp: string | null = null
  let checkedMs = Number.NEGATIVE_INFINITY
  return () => {
    if (performance.now() - checkedMs < RECHECK_MS) return build
    checkedMs = performance.now()
    const stamp = stampOf(folder)
    if (stamp === null || stamp === buildStamp) return build
    const next = readBuilt(folder)
    if (next === null) return build
    build = next
    buildStamp = stamp
    return build
  }
}

/** Returns a text that identifies a build, or null if there is none. */
function stampOf(folder: string): string | null {
  const stat = statSync(join(folder, 'index.html'), { throwIfNoEntry: false })
  return stat === undefined ? null : `${stat.ino} ${stat.mtimeMs}`
}

/** Reads a build. Returns null if it does not exist or is being replaced. */
function readBuilt(folder: string): Built | null {
  try {
    const assets = new Map<string, File>()
    for (const name of readdirSync(join(folder, 'assets'))) {
      if (!name.endsWith('.br')) assets.set(name, readFile(join(folder, 'assets', name)))
    }
    return { page: readFile(join(folder, 'index.html')), assets }
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return null
    throw error
  }
}

function readFile(path: string): File {
  const brotliPath = `${path}.br`
  const isCompressed = statSync(brotliPath, { throwIfNoEntry: false }) !== undefined
  const type = lookup(path) || 'application/octet-stream'
  return {
    bytes: readFileSync(path),
    type: /^text\/|javascript|json/.test(type) ? `${type}; charset=utf-8` : type,
    brotli: isCompressed ? readFileSync(brotliPath) : null,
    gzip: null,
  }
}

function sendFile(request: FastifyRequest, reply: FastifyReply, file: File): FastifyReply {
  const codings = readCodings(request.headers['accept-encoding'])
  reply.header('vary', 'accept-encoding').type(file.type)
  if (file.brotli === null) return reply.send(file.bytes)
  if (codings.has('br')) return reply.header('content-encoding', 'br').send(file.brotli)
  if (codings.has('gzip')) {
    // The largest takes some 20 ms, once in a process.
    file.gzip ??= gzipSync(file.bytes)
    return reply.header('content-encoding', 'gzip').send(file.gzip)
  }
  return reply.send(file.bytes)
}

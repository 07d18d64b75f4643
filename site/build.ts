import { rmSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import type Metalsmith from 'metalsmith'
import { replaceFolder } from '../ops/release/replace-folder.ts'
import { createSite } from './create-site.ts'

// `npm run docs` and `npm pack` build the site into site/dist. The server serves it at /docs/. `npm run docs -- FOLDER` builds
// it elsewhere.

const [, , folder = join(import.meta.dirname, 'dist')] = process.argv
const DIST = resolve(folder)
const compress = promisify(brotliCompress)

/** Builds in another folder first, so that `dist` is always complete. */
async function buildSite(): Promise<void> {
  const startedMs = performance.now()
  const making = `${DIST}.${process.pid}`
  try {
    const files = await createSite().use(compressAll).destination(making).build()
    replaceFolder(DIST, making)
    const pages = Object.keys(files).filter((path) => path.endsWith('.html')).length
    const seconds = ((performance.now() - startedMs) / 1000).toFixed(1)
    console.error(`The documentation site is built: ${pages} pages in ${relative('.', DIST)} (${seconds} s).`)
  } finally {
    rmSync(making, { recursive: true, force: true })
  }
}

/** Adds a compressed copy of each text, so that no request has to compress it. */
async function compressAll(files: Metalsmith.Files): Promise<void> {
  const texts = Object.entries(files).filter(([path]) => /\.(html|css|js|json|svg)$/.test(path))
  for (const [path, { contents, mode = '0644' }] of texts) {
    const params = { [constants.BROTLI_PARAM_QUALITY]: 9 }
    const smaller = await compress(contents, { params })
    if (smaller.length < contents.length) files[`${path}.br`] = { contents: smaller, mode }
  }
}

await buildSite()

import { readFileSync } from 'node:fs'
import { createRequire, stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import Metalsmith from 'metalsmith'
import { readGuide } from '../src/http/docs/guides.ts'
import { createHome } from './home.ts'
import { renderPage } from './layout.ts'
import { createNavigation } from './navigation.ts'
import type { Page } from './page.ts'
import { createReference } from './reference.ts'
import { renderMarkdown } from './render-markdown.ts'
import { createLinkResolver, pagePath } from './resolve-link.ts'
import { listSearchEntries } from './search-entries.ts'

const PROJECT = join(import.meta.dirname, '..')
const DOCS = join(PROJECT, 'docs')

/** Returns the generator of the site: pages of `docs/` and of the OpenAPI document, with assets and search entries. */
export function createSite(): Metalsmith {
  return new Metalsmith(PROJECT)
    .source('docs')
    .frontmatter(false)
    .clean(true)
    .use(replaceByPages)
    .use(addAssets)
}

function replaceByPages(files: Metalsmith.Files): void {
  const linked = new Map<string, string>()
  const documents = Object.keys(files).filter((path) => path.endsWith('.md'))
  const pages = [...documents.map((path) => readPage(path, linked)), ...createReference()]
  for (const path of Object.keys(files)) delete files[path]

  const sections = createNavigation(pages)
  for (const page of [createHome(sections), ...pages]) add(files, page.path, renderPage(page, sections))
  for (const [path, source] of linked) add(files, path, readFileSync(source))
  add(files, 'search.json', JSON.stringify(listSearchEntries(pages)))
}

function readPage(path: string, linked: Map<string, string>): Page {
  const { title, summary, text } = readGuide(DOCS, path)
  return { path: pagePath(path), title, summary, ...renderMarkdown(text, createLinkResolver(path, linked)) }
}

const readOwn = (...path: string[]) => readFileSync(join(import.meta.dirname, ...path), 'utf8')

function addAssets(files: Metalsmith.Files): void {
  add(files, 'assets/icon.svg', readFileSync(join(PROJECT, 'web', 'public', 'assets', 'icon.svg')))
  const styles = ['base', 'frame', 'pages', 'search', 'examples'].map((name) =>
    readOwn('assets', `${name}.css`),
  )
  add(files, 'assets/style.css', styles.join('\n'))
  for (const name of ['theme', 'site', 'search', 'examples']) {
    add(files, `assets/${name}.js`, compile(readOwn('browser', `${name}.ts`)))
  }
  const library = createRequire(import.meta.url).resolve('minisearch')
  add(files, 'assets/minisearch.js', readFileSync(library.replace(/cjs.*$/, 'es/index.js')))
}

/** Returns the JavaScript of a script for browsers, which imports the other scripts and the library from its folder. */
function compile(source: string): string {
  return stripTypeScriptTypes(source, { mode: 'strip' })
    .replace(/from '(\.\/[\w-]+)\.ts'/g, "from '$1.js'")
    .replace("from 'minisearch'", "from './minisearch.js'")
}

function add(files: Metalsmith.Files, path: string, contents: string | Buffer): void {
  files[path] = { contents: Buffer.from(contents), mode: '0644' }
}

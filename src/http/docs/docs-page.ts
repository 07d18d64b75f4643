import { createHash } from 'node:crypto'
import { codeBlock, escapeHtml, inline } from './docs-html.ts'
import { renderOperation } from './docs-operation.ts'
import { type Group, listGroups, type Operation } from './docs-operations.ts'
import { STYLE } from './docs-style.ts'
import type { JsonObject } from './openapi-json.ts'

/** The reference as HTML: an overview, and a page for each group by its slug. Each call renders the page. */
export interface DocsPages {
  overview(): string
  groups: ReadonlyMap<string, () => string>
}

/**
 * Returns the OpenAPI document as pages without scripts or external requests, for light and dark color schemes and
 * for phones. Links are relative, so the pages work below any path.
 */
export function renderDocs(document: JsonObject): DocsPages {
  const groups = listGroups(document)
  const server = ((document.servers as JsonObject[])[0]?.url as string) ?? ''
  const pages = groups.map(
    (group) => [group.slug, () => renderGroup(document, groups, group, server)] as const,
  )
  return { overview: () => renderOverview(document, groups, server), groups: new Map(pages) }
}

/**
 * Returns the content security policy of the pages, which allows only their own style. Markup that slipped through
 * the escaping can do nothing.
 */
export function docsPolicy(): string {
  const hash = createHash('sha256').update(STYLE).digest('base64')
  return `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
}

interface Page {
  title: string
  /** The relative URL of the overview. */
  home: string
  /** The relative URL of the folder of group pages. */
  folder: string
  current: Group | null
  main: string
}

function renderPage(document: JsonObject, groups: readonly Group[], page: Page): string {
  const info = document.info as Record<string, string>
  const { title, home, folder, current, main } = page
  const links = groups.map((group) => renderGroupLink(group, folder, group === current)).join('')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<nav aria-label="API reference"><a class="brand" href="${home}">${escapeHtml(info.title)} <small>API ${escapeHtml(info.version)}</small></a><ul><li><a href="${folder === '' ? './' : folder}">Guides</a></li>${links}</ul></nav>
<main id="top">
${main}
</main>
</body>
</html>
`
}

function renderGroupLink({ tag, slug, operations }: Group, folder: string, isCurrent: boolean): string {
  const mark = isCurrent ? ' aria-current="page"' : ''
  const inner = isCurrent
    ? `<ul>${operations.map(({ id, content }) => `<li><a href="#${id}">${escapeHtml(content.summary)}</a></li>`).join('')}</ul>`
    : ''
  return `<li><a href="${folder}${slug}"${mark}>${escapeHtml(tag)}</a>${inner}</li>`
}

function renderOverview(document: JsonObject, groups: readonly Group[], server: string): string {
  const info = document.info as Record<string, string>
  const title = `${info.title} API ${info.version}`
  const main = `<h1>${escapeHtml(info.title)} API</h1>
<p>${inline(info.description)}</p>
<p>Base URL: <code>${escapeHtml(server)}</code>. OpenAPI document: <a href="openapi.json">openapi.json</a>.</p>
<section><h2 id="authentication">Authentication</h2><p>Send your API key with each request: <code>Authorization: Bearer sw_...</code>. A key with the permission <code>send</code> can only send and read single emails.</p></section>
<section><h2 id="groups">Endpoints</h2>${groups.map(renderGroupSection).join('')}</section>
${renderErrors(document)}`
  return renderPage(document, groups, { title, home: '#top', folder: 'docs/', current: null, main })
}

/** Lists every operation under its former anchor, so that old links still work. */
function renderGroupSection({ tag, slug, description, operations }: Group): string {
  const items = operations.map(
    ({ id, oldId, method, path, content }) =>
      `<li id="${oldId}"><a href="docs/${slug}#${id}">${renderMethod(method)} <code>${breakable(path)}</code></a> <span>${inline(content.summary)}</span></li>`,
  )
  return `<h3><a href="docs/${slug}">${escapeHtml(tag)}</a></h3><p>${inline(description)}</p><ul class="operations">${items.join('')}</ul>`
}

function renderGroup(document: JsonObject, groups: readonly Group[], group: Group, server: string): string {
  const info = document.info as Record<string, string>
  const main = `<h1>${escapeHtml(group.tag)}</h1>
<p>${inline(group.description)}</p>
${group.operations.map((operation: Operation) => renderOperation(operation, server)).join('\n')}`
  return renderPage(document, groups, {
    title: `${group.tag} · ${info.title} API`,
    home: '../docs',
    folder: '',
    current: group,
    main,
  })
}

function renderMethod(method: string): string {
  return `<b class="${method}">${method}</b>`
}

function breakable(path: string): string {
  return escapeHtml(path).replaceAll('/', '/<wbr>')
}

function renderErrors(document: JsonObject): string {
  const { responses } = document.components as Record<string, JsonObject>
  const { content } = (responses as Record<string, JsonObject>).Error as JsonObject
  const { examples } = (content as Record<string, JsonObject>)['application/json'] as JsonObject
  const items = Object.entries(examples as Record<string, JsonObject>).map(([name, { summary, value }]) => {
    const text = String(summary).replace(/^(\d+): /, '`$1` ')
    return `<details id="error-${escapeHtml(name)}"><summary>${inline(text)}</summary>${codeBlock(value)}</details>`
  })
  return `<section><h2 id="errors">Errors</h2><p>Every error has the same shape, and every endpoint may return any of these.</p>${items.join('')}</section>`
}

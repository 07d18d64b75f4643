import { API_TAGS } from '../src/app/api-tags.ts'
import { API_ROUTES, OPERATOR_ROUTES } from '../src/app/routes.ts'
import { describeEvents } from '../src/events/openapi-events.ts'
import { escapeText, inline } from '../src/http/docs/docs-html.ts'
import { renderOperation } from '../src/http/docs/docs-operation.ts'
import { type Group, listGroups } from '../src/http/docs/docs-operations.ts'
import { describeApi } from '../src/http/docs/openapi.ts'
import type { Page } from './page.ts'

/** The server in the examples, as in the guides. */
const SERVER = 'https://mail.example.com'

/** Returns the pages of the API from its OpenAPI document: an overview, and a page for each group. */
export function createReference(): Page[] {
  const notes = { webhooks: describeEvents(), tags: API_TAGS }
  const document = describeApi([...API_ROUTES, ...OPERATOR_ROUTES], SERVER, notes)
  const groups = listGroups(document).filter(({ operations }) => operations.length > 0)
  const info = document.info as Record<string, string>
  return [overview(groups, info), ...groups.map(groupPage)]
}

function overview(groups: readonly Group[], info: Record<string, string>): Page {
  const sections = groups.map(({ slug, tag, description, operations }) => {
    const items = operations.map(
      ({ id, method, path, content }) =>
        `<li><a href="${slug}.html#${id}"><b class="method ${method}">${method}</b> <code>${breakable(path)}</code></a> <span>${inline(content.summary)}</span></li>`,
    )
    return `<h2 id="${slug}"><a href="${slug}.html">${escapeText(tag)}</a></h2><p>${inline(description)}</p><ul class="operations">${items.join('')}</ul>`
  })
  return {
    path: 'api/index.html',
    title: 'API overview',
    summary: 'All endpoints, by group.',
    html: `<h1>API overview</h1><p>${inline(info.description)}</p>
<p>Send your API key with each request: <code>Authorization: Bearer sw_...</code>. Failed requests have the form of the
<a href="../errors.html">errors</a>. Your server has the OpenAPI document at <code>/openapi.json</code>.</p>${sections.join('')}`,
    headings: groups.map(({ slug, tag }) => ({ id: slug, title: tag, depth: 2 })),
  }
}

function groupPage({ slug, tag, description, operations }: Group): Page {
  const articles = operations.map((operation) =>
    renderOperation(operation, SERVER)
      .replaceAll('<pre>', '<pre tabindex="0">')
      .replaceAll('<div class="wide">', '<div class="wide" tabindex="0">'),
  )
  return {
    path: `api/${slug}.html`,
    title: tag,
    summary: description,
    html: `<h1>${escapeText(tag)}</h1><p>${inline(description)}</p>${articles.join('\n')}`,
    headings: operations.map(({ id, content }) => ({ id, title: String(content.summary), depth: 2 })),
  }
}

function breakable(path: string): string {
  return escapeText(path).replaceAll('/', '/<wbr>')
}

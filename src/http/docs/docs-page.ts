import { createHash } from 'node:crypto'
import { renderAnswerFields, renderBodyFields, renderParameters } from './docs-fields.ts'
import { codeBlock, escapeHtml, inline, paragraphs } from './docs-html.ts'
import { STYLE } from './docs-style.ts'
import type { Json, JsonObject } from './openapi-json.ts'

/**
 * The reference page: the OpenAPI document as one HTML file. No script, no request to anywhere, readable in light and
 * dark and on a phone.
 */
export function renderDocs(document: JsonObject): string {
  const operations = listOperations(document)
  const tags = [...new Set(operations.map((operation) => operation.tag))]
  const info = document.info as Record<string, string>
  const server = ((document.servers as JsonObject[])[0]?.url as string) ?? ''
  const navigation = tags.map((tag) => renderTagLinks(tag, operations)).join('')
  const sections = tags.map((tag) => renderTag(tag, operations, server)).join('')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(info.title)} API ${escapeHtml(info.version)}</title>
<style>${STYLE}</style>
</head>
<body>
<nav aria-label="Endpoints"><a class="brand" href="#top">${escapeHtml(info.title)} <small>API ${escapeHtml(info.version)}</small></a>${navigation}</nav>
<main id="top">
<h1>${escapeHtml(info.title)} API</h1>
<p>${inline(info.description)}</p>
<p>Base address <code>${escapeHtml(server)}</code>. The machine-readable description is at <a href="openapi.json">openapi.json</a>.</p>
<section><h2 id="authentication">Authentication</h2><p>Each request carries an API key: <code>Authorization: Bearer sw_...</code>. A key with the permission <code>send</code> may only send and read single emails.</p></section>
${renderErrors(document)}
${sections}
</main>
</body>
</html>
`
}

/** What the page may do: show its own style. Anything that slipped through the escaping could still do nothing. */
export function docsPolicy(): string {
  const hash = createHash('sha256').update(STYLE).digest('base64')
  return `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
}

interface Operation {
  id: string
  tag: string
  method: string
  path: string
  content: JsonObject
}

function listOperations(document: JsonObject): Operation[] {
  return Object.entries(document.paths as Record<string, JsonObject>).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, JsonObject>).map(([method, content]) => ({
      id: String(content.operationId),
      tag: String((content.tags as string[])[0]),
      method: method.toUpperCase(),
      path,
      content,
    })),
  )
}

function renderTagLinks(tag: string, operations: readonly Operation[]): string {
  const links = operations
    .filter((operation) => operation.tag === tag)
    .map(
      ({ id, method, path }) =>
        `<li><a href="#${id}"><b class="${method}">${method}</b> <span>${escapeHtml(path).replaceAll('/', '/<wbr>')}</span></a></li>`,
    )
  return `<h3>${escapeHtml(tag)}</h3><ul>${links.join('')}</ul>`
}

function renderTag(tag: string, operations: readonly Operation[], server: string): string {
  const articles = operations
    .filter((operation) => operation.tag === tag)
    .map((operation) => renderOperation(operation, server))
  return `<section><h2>${escapeHtml(tag)}</h2>${articles.join('')}</section>`
}

function renderOperation({ id, method, path, content }: Operation, server: string): string {
  const parameters = (content.parameters ?? []) as JsonObject[]
  const body = mediaSchema((content.requestBody as JsonObject | undefined) ?? {})
  return `<article id="${id}">
<h3><b class="${method}">${method}</b> <code>${escapeHtml(path)}</code></h3>
<p><strong>${inline(content.summary)}</strong></p>
${content.description === undefined ? '' : paragraphs(content.description)}
${parameters.length === 0 ? '' : `<h4>Parameters</h4>${renderParameters(parameters)}`}
${body === null ? '' : `<h4>Body</h4>${renderBody(content.requestBody as JsonObject, body)}`}
<h4>Answers</h4>${renderResponses(content.responses as Record<string, JsonObject>)}
<h4>Example</h4>${codeBlock(renderCurl(method, server + path, body !== null, content))}
</article>`
}

/** The fields of a JSON body; what is no JSON is shown as it looks. */
function renderBody(holder: JsonObject, schema: JsonObject): string {
  const [type, media] = Object.entries(holder.content as Record<string, JsonObject>)[0] ?? []
  if (type === 'application/json') return renderBodyFields(schema)
  return `<p><code>${escapeHtml(type)}</code> ${inline(holder.description ?? '')}</p>${codeBlock(media?.example ?? '')}`
}

function renderResponses(responses: Record<string, JsonObject>): string {
  const items = Object.entries(responses).map(([status, response]) => {
    if (response.$ref !== undefined) {
      const name = String(response.$ref).split('/').at(-1) ?? ''
      return `<li class="error"><a href="#error-${escapeHtml(name)}"><code>${status}</code> ${escapeHtml(name)}</a></li>`
    }
    const schema = mediaSchema(response)
    const head = `<code>${status}</code> ${inline(response.description)}`
    if (schema === null) return `<li>${head}</li>`
    const example = mediaOf(response)?.example
    const shown = example === undefined ? '' : codeBlock(example)
    return `<li><details><summary>${head}</summary>${shown}${renderAnswerFields(schema)}</details></li>`
  })
  return `<ul class="answers">${items.join('')}</ul>`
}

function mediaOf(holder: JsonObject): JsonObject | undefined {
  return Object.values((holder.content ?? {}) as Record<string, JsonObject>)[0]
}

function mediaSchema(holder: JsonObject): JsonObject | null {
  return (mediaOf(holder)?.schema as JsonObject | undefined) ?? null
}

function renderErrors(document: JsonObject): string {
  const responses = (document.components as Record<string, JsonObject>).responses as Record<
    string,
    JsonObject
  >
  const items = Object.entries(responses).map(([name, response]) => {
    const example = ((response.content as JsonObject)['application/json'] as JsonObject).example as JsonObject
    return `<details id="error-${escapeHtml(name)}"><summary><code>${example.statusCode}</code> ${inline(response.description)}</summary>${codeBlock(example)}</details>`
  })
  return `<section><h2 id="errors">Errors</h2><p>Every error has the same shape.</p>${items.join('')}</section>`
}

function renderCurl(method: string, url: string, hasBody: boolean, content: JsonObject): string {
  const isPublic = Array.isArray(content.security) && content.security.length === 0
  const lines = [`curl ${method === 'GET' ? '' : `-X ${method} `}'${url}'`]
  if (!isPublic) lines.push("-H 'Authorization: Bearer sw_...'")
  if (hasBody) {
    const type = bodyType(content)
    const isJson = type === 'application/json'
    lines.push(
      `-H 'Content-Type: ${type}'`,
      isJson ? `-d '${exampleBody(content)}'` : '--upload-file file.csv',
    )
  }
  return lines.join(' \\\n  ')
}

function bodyType(content: JsonObject): string {
  const holder = content.requestBody as JsonObject
  return Object.keys(holder.content as JsonObject)[0] ?? 'application/json'
}

/** The example that the schema of the body gives, fit for the single quotes of a shell. */
function exampleBody(content: JsonObject): string {
  const schema = mediaSchema(content.requestBody as JsonObject) ?? {}
  const example: Json = ((schema.examples ?? []) as Json[])[0] ?? {}
  const oneLine = JSON.stringify(example)
  const text = oneLine.length > LINE_LENGTH_MAX ? JSON.stringify(example, null, 2) : oneLine
  return text.replaceAll("'", `'\\''`)
}

const LINE_LENGTH_MAX = 80

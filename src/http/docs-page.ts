import { createHash } from 'node:crypto'
import { STYLE } from './docs-style.ts'
import type { Json, JsonObject } from './openapi.ts'

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
        `<li><a href="#${id}"><b class="${method}">${method}</b> ${escapeHtml(path)}</a></li>`,
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
${content.description === undefined ? '' : `<p>${inline(content.description)}</p>`}
${parameters.length === 0 ? '' : `<h4>Parameters</h4>${renderTable(parameters.map(parameterRow))}`}
${body === null ? '' : `<h4>Body</h4>${renderTable(fieldRows(body, ''))}`}
<h4>Answers</h4>${renderResponses(content.responses as Record<string, JsonObject>)}
<h4>Example</h4><pre><code>${escapeHtml(renderCurl(method, server + path, body !== null, content))}</code></pre>
</article>`
}

interface Field {
  name: string
  type: string
  isRequired: boolean
  text: string
}

function parameterRow(parameter: JsonObject): Field {
  return {
    name: String(parameter.name),
    type: `${typeOf(parameter.schema as JsonObject)} in ${parameter.in}`,
    isRequired: parameter.required === true,
    text: describe({ ...(parameter.schema as JsonObject), description: parameter.description ?? '' }),
  }
}

const DEPTH_MAX = 4

function fieldRows(schema: JsonObject, prefix: string, depth = 0): Field[] {
  const { properties, items } = schema
  if (depth > DEPTH_MAX) return []
  if (items !== undefined) return fieldRows(items as JsonObject, `${prefix}[].`, depth + 1)
  const required = (schema.required ?? []) as string[]
  return Object.entries((properties ?? {}) as Record<string, JsonObject>).flatMap(([name, property]) => {
    const path = prefix + name
    const own = {
      name: path,
      type: typeOf(property),
      isRequired: required.includes(name),
      text: describe(property),
    }
    const below = property.items === undefined ? `${path}.` : path
    return [own, ...fieldRows(property, below, depth + 1)]
  })
}

function typeOf(schema: JsonObject): string {
  if (schema.anyOf !== undefined) return [...new Set((schema.anyOf as JsonObject[]).map(typeOf))].join(' or ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined)
    return (schema.enum as Json[]).map((choice) => JSON.stringify(choice)).join(', ')
  if (schema.type === 'array') return `array of ${typeOf((schema.items ?? {}) as JsonObject)}`
  const format = schema.format === undefined ? '' : ` (${schema.format})`
  return `${schema.type ?? 'any'}${format}`
}

/** Which keywords are shown as limits, and in which words. */
const LIMITS: readonly [string, string][] = [
  ['maxLength', 'at most # characters'],
  ['minimum', 'at least #'],
  ['maximum', 'at most #'],
  ['maxItems', 'at most # items'],
  ['minItems', 'at least # items'],
  ['default', 'default #'],
]

function describe(schema: JsonObject): string {
  const limits = LIMITS.filter(([keyword]) => schema[keyword] !== undefined).map(([keyword, words]) =>
    words.replace('#', String(schema[keyword])),
  )
  return [inline(schema.description ?? ''), escapeHtml(limits.join(', '))]
    .filter((part) => part !== '')
    .join(' ')
}

function renderTable(fields: readonly Field[]): string {
  const rows = fields.map(
    ({ name, type, isRequired, text }) =>
      `<tr><td><code>${escapeHtml(name)}</code>${isRequired ? ' <em>required</em>' : ''}</td><td>${escapeHtml(type)}</td><td>${text}</td></tr>`,
  )
  return `<div class="wide"><table><thead><tr><th>Field</th><th>Type</th><th>Notes</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>`
}

function renderResponses(responses: Record<string, JsonObject>): string {
  const items = Object.entries(responses).map(([status, response]) => {
    if (response.$ref !== undefined) {
      const name = String(response.$ref).split('/').at(-1) ?? ''
      return `<li><a href="#error-${escapeHtml(name)}"><code>${status}</code> ${escapeHtml(name)}</a></li>`
    }
    const schema = mediaSchema(response)
    const head = `<code>${status}</code> ${inline(response.description)}`
    if (schema === null) return `<li>${head}</li>`
    return `<li><details><summary>${head}</summary>${renderTable(fieldRows(schema, ''))}</details></li>`
  })
  return `<ul class="answers">${items.join('')}</ul>`
}

function mediaSchema(holder: JsonObject): JsonObject | null {
  const media = Object.values((holder.content ?? {}) as Record<string, JsonObject>)[0]
  return (media?.schema as JsonObject | undefined) ?? null
}

function renderErrors(document: JsonObject): string {
  const responses = (document.components as Record<string, JsonObject>).responses as Record<
    string,
    JsonObject
  >
  const items = Object.entries(responses).map(([name, response]) => {
    const example = ((response.content as JsonObject)['application/json'] as JsonObject).example as JsonObject
    return `<details id="error-${escapeHtml(name)}"><summary><code>${example.statusCode}</code> ${inline(response.description)}</summary><pre><code>${escapeHtml(JSON.stringify(example, null, 2))}</code></pre></details>`
  })
  return `<section><h2 id="errors">Errors</h2><p>Every error has the same shape.</p>${items.join('')}</section>`
}

function renderCurl(method: string, url: string, hasBody: boolean, content: JsonObject): string {
  const isPublic = Array.isArray(content.security) && content.security.length === 0
  const lines = [`curl ${method === 'GET' ? '' : `-X ${method} `}'${url}'`]
  if (!isPublic) lines.push("-H 'Authorization: Bearer sw_...'")
  if (hasBody)
    lines.push("-H 'Content-Type: application/json'", `-d '${JSON.stringify(exampleBody(content))}'`)
  return lines.join(' \\\n  ')
}

/** The required fields with something in them. */
function exampleBody(content: JsonObject): JsonObject {
  const schema = mediaSchema(content.requestBody as JsonObject) ?? {}
  const properties = (schema.properties ?? {}) as Record<string, JsonObject>
  return Object.fromEntries(
    ((schema.required ?? []) as string[]).map((name) => [name, exampleValue(name, properties[name] ?? {})]),
  )
}

function exampleValue(name: string, schema: JsonObject): Json {
  if (schema.enum !== undefined) return (schema.enum as Json[])[0] ?? null
  if (schema.type === 'array') return []
  if (schema.type === 'object') return {}
  if (schema.type === 'integer' || schema.type === 'number') return 1
  if (schema.type === 'boolean') return true
  return /^(email|to|from)$/.test(name) ? 'ann@example.com' : `My ${name}`
}

function escapeHtml(text: unknown): string {
  return String(text).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** Our descriptions use one mark: back-ticks around code. */
function inline(text: unknown): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>')
}

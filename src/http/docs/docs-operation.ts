import { renderAnswerFields, renderBodyFields, renderParameters } from './docs-fields.ts'
import { codeBlock, escapeText, inline, paragraphs } from './docs-html.ts'
import type { Operation } from './docs-operations.ts'
import { exampleOfSchema } from './openapi-examples.ts'
import type { Json, JsonObject } from './openapi-json.ts'

/** Renders one operation: its purpose, parameters, body, responses, and a request to copy. An alias is only named. */
export function renderOperation({ id, method, path, content }: Operation, server: string): string {
  const parameters = (content.parameters ?? []) as JsonObject[]
  const body = mediaSchema((content.requestBody as JsonObject | undefined) ?? {})
  const head = `<article id="${id}">
<h2><a href="#${id}">${inline(content.summary)}</a></h2>
<p class="path"><b class="${method}">${method}</b> <code>${escapeText(path)}</code></p>
${content.description === undefined ? '' : paragraphs(content.description)}`
  if (content.deprecated === true) return `${head}</article>`
  return `${head}
${parameters.length === 0 ? '' : `<h3>Parameters</h3>${renderParameters(parameters)}`}
${body === null ? '' : `<h3>Body</h3>${renderBody(content.requestBody as JsonObject, body)}`}
<h3>Responses</h3>${renderResponses(content.responses as Record<string, JsonObject>)}
${isOfPages(content) ? '' : `<h3>Example</h3>${codeBlock(renderCurl(method, server + path, body !== null, content))}`}
</article>`
}

/** Returns whether only pages call the operation, with the session of a user: there is no request to copy. */
function isOfPages({ security }: JsonObject): boolean {
  const schemes = (security as JsonObject[] | undefined) ?? []
  return schemes.length > 0 && schemes.every((scheme) => 'session' in scheme)
}

/** Renders the fields of a JSON body. Any other body is shown as an example. */
function renderBody(holder: JsonObject, schema: JsonObject): string {
  const [type, media] = Object.entries(holder.content as Record<string, JsonObject>)[0] ?? []
  if (type === 'application/json') return renderBodyFields(schema)
  return `<p><code>${escapeText(type)}</code> ${inline(holder.description ?? '')}</p>${codeBlock(media?.example ?? '')}`
}

function renderResponses(responses: Record<string, JsonObject>): string {
  const items = Object.entries(responses)
    .filter(([status]) => !isForErrors(status))
    .map(([status, response]) => {
      const schema = mediaSchema(response)
      const head = `<code>${status}</code> ${inline(response.description)}`
      if (schema === null) return `<li>${head}</li>`
      const example = mediaOf(response)?.example ?? exampleOfSchema(schema)
      const shown = example === undefined ? '' : codeBlock(example)
      return `<li><details><summary>${head}</summary>${shown}${renderAnswerFields(schema)}</details></li>`
    })
  return `<ul class="answers">${items.join('')}<li><a href="../errors.html">Errors</a></li></ul>`
}

/** Errors have their own section on the overview. */
function isForErrors(status: string): boolean {
  return status === 'default' || status.endsWith('XX')
}

function mediaOf(holder: JsonObject): JsonObject | undefined {
  return Object.values((holder.content ?? {}) as Record<string, JsonObject>)[0]
}

function mediaSchema(holder: JsonObject): JsonObject | null {
  return (mediaOf(holder)?.schema as JsonObject | undefined) ?? null
}

/** What a request shows of its sender, by the scheme in the document. */
const CREDENTIALS: Readonly<Record<string, string>> = {
  apiKey: "-H 'Authorization: Bearer sw_...'",
  operatorToken: `-H "Authorization: Bearer $SENDWRIGHT_OPERATOR_TOKEN"`,
}

/** Returns the first of the credentials that the operation accepts; an API key if it states none; null for a public one. */
function credentialOf({ security = [{ apiKey: [] }] }: JsonObject): string | null {
  const [scheme] = Object.keys((security as JsonObject[])[0] ?? {})
  return scheme === undefined ? null : (CREDENTIALS[scheme] ?? null)
}

function renderCurl(method: string, url: string, hasBody: boolean, content: JsonObject): string {
  const credential = credentialOf(content)
  const lines = [`curl ${method === 'GET' ? '' : `-X ${method} `}'${url}'`]
  if (credential !== null) lines.push(credential)
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

/** Returns the example of the body's schema, escaped for single quotes in a shell. */
function exampleBody(content: JsonObject): string {
  const schema = mediaSchema(content.requestBody as JsonObject) ?? {}
  const example: Json = ((schema.examples ?? []) as Json[])[0] ?? {}
  const oneLine = JSON.stringify(example)
  const text = oneLine.length > LINE_LENGTH_MAX ? JSON.stringify(example, null, 2) : oneLine
  return text.replaceAll("'", `'\\''`)
}

const LINE_LENGTH_MAX = 80

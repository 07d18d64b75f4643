import type { JsonObject } from './openapi-json.ts'
import { readOperations } from './openapi-refs.ts'

/** An operation of the document in the reference, with its references resolved. */
export interface Operation {
  id: string
  method: string
  path: string
  content: JsonObject
}

/** The operations of one tag, which share a page. */
export interface Group {
  tag: string
  /** The name of its page: `api-keys`. */
  slug: string
  description: string
  operations: readonly Operation[]
}

/** Returns the groups in the order of the document's tags. */
export function listGroups(document: JsonObject): Group[] {
  const operations = listOperations(document)
  return (document.tags as JsonObject[]).map(({ name, description = '' }) => ({
    tag: String(name),
    slug: slugOf(String(name)),
    description: String(description),
    operations: operations.filter(({ content }) => (content.tags as string[])[0] === name),
  }))
}

function listOperations(document: JsonObject): Operation[] {
  return Object.entries(readOperations(document)).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, content]) => ({
      id: String(content.operationId),
      method: method.toUpperCase(),
      path,
      content,
    })),
  )
}

function slugOf(tag: string): string {
  return tag.toLowerCase().replace(/[^a-z0-9]+/g, '-')
}

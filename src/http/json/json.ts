import { isUtf8 } from 'node:buffer'
import { afterSpace } from './json-octets.ts'
import { JsonReader, malformed, refuseBody } from './json-reader.ts'

export interface JsonForm {
  /** The type of body that the route accepts. Any other type is rejected by its first octet, unparsed. */
  expects?: 'object' | 'array' | undefined
  /** Reads an array of octets under the name `data`, as JSON writes a Buffer of Node.js, into a Uint8Array. */
  hasBuffers?: boolean | undefined
}

const FIRST_OCTETS = { object: '{', array: '[' }

/**
 * Parses a request body as I-JSON (RFC 7493): UTF-8, no duplicate names in one object (section 2.3), no number beyond
 * a double (section 2.2). Two parsers of one body must never see different requests, so `__proto__` is rejected as a
 * name too. Takes linear time: one pass over the octets counts the values and stops at the first fault. If `expects`
 * is an object, `[]` becomes `{}`, because PHP encodes an empty map as `[]`.
 * @returns undefined for an empty body, which clients send with a JSON content type on DELETE, for example
 * @throws ApiError (422) that describes the fault without a field, and without the parser's message, which repeats
 * the body
 */
export function parseJson(bytes: Buffer, { expects, hasBuffers = false }: JsonForm = {}): unknown {
  if (bytes.length === 0) return undefined
  const start = afterSpace(bytes, afterMark(bytes))
  if (expects === 'object' && isEmptyList(bytes, start)) return {}
  refuseType(bytes[start], expects)
  if (!isUtf8(bytes)) throw refuseBody('The request body must be UTF-8.')
  return new JsonReader(bytes, start, { hasBuffers, isList: expects === 'array' }).readDocument()
}

function refuseType(octet: number | undefined, expects: JsonForm['expects']): void {
  const first = String.fromCharCode(octet ?? 0)
  if (expects === undefined || first === FIRST_OCTETS[expects]) return
  const startsValue = /[[{"\-0-9tfn]/.test(first)
  throw startsValue ? refuseBody(`The request body must be a JSON ${expects}.`) : malformed()
}

/** Skips a byte order mark, which a parser may ignore (RFC 8259 section 8.1). */
function afterMark(bytes: Buffer): number {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
}

/** Returns whether the body from `start` on is only `[]`. */
function isEmptyList(bytes: Buffer, start: number): boolean {
  if (bytes[start] !== 0x5b) return false
  const close = afterSpace(bytes, start + 1)
  return bytes[close] === 0x5d && afterSpace(bytes, close + 1) === bytes.length
}

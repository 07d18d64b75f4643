import { isUtf8 } from 'node:buffer'
import { afterSpace } from './json-octets.ts'
import { JsonReader, malformed, refuseBody } from './json-reader.ts'

export interface JsonForm {
  /** The type of body that the route takes. Any other type is refused by its first octet, unparsed. */
  expects?: 'object' | 'array' | undefined
  /** Reads an array of octets under the name `data`, as JSON writes a Buffer of Node.js, into a Uint8Array. */
  hasBuffers?: boolean | undefined
}

const FIRST_OCTETS = { object: '{', array: '[' }

/**
 * Reads a request body as I-JSON (RFC 7493): UTF-8, no name twice in one object (section 2.3), no number beyond a
 * double (section 2.2). Two readers of one body must never see two different requests, so `__proto__` is refused as a
 * name too. Takes linear time: one pass over the octets counts the values and ends at the first fault. If `expects` is an
 * object, `[]` becomes `{}`, because PHP encodes an empty map as `[]`.
 * @returns undefined for an empty body, which clients send with a JSON content type on DELETE and the like
 * @throws ApiError (422) that names the fault and no field, never in the parser's words, which repeat the body
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

/** RFC 8259 section 8.1: a reader may ignore a byte order mark. */
function afterMark(bytes: Buffer): number {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
}

/** Returns whether the body is `[]` and nothing else from `start` on. */
function isEmptyList(bytes: Buffer, start: number): boolean {
  if (bytes[start] !== 0x5b) return false
  const close = afterSpace(bytes, start + 1)
  return bytes[close] === 0x5d && afterSpace(bytes, close + 1) === bytes.length
}

import { readWords } from './joined-words.ts'

/** A Content-Type or Content-Disposition (RFC 2045 section 5.1, RFC 2183 section 2). */
export interface ParameterValue {
  /** Lower case, for example `text/plain` or `attachment`. */
  value: string
  /** Names in lower case; the first of each. */
  parameters: Map<string, string>
  /** False if the text has comments, a repeated name, or malformed parts. */
  isExact: boolean
}

const VALUE_CHARS_MAX = 8000
const TYPE = /^[^\s;()"<>,]+/
const PARAMETER = / *; *(?:([^\s=;"()]+) *= *("(?:[^"\\]|\\.)*"|[^\s;"]*))?/y

/** Parses the well-formed beginning of the text. `value` is empty if there is none. */
export function parseParameterValue(text: string): ParameterValue {
  const head = text.slice(0, VALUE_CHARS_MAX)
  const value = TYPE.exec(head)?.[0] ?? ''
  const parameters = new Map<string, string>()
  let isExact = value !== '' && text.length <= VALUE_CHARS_MAX
  let at = value.length
  while (at < head.length) {
    PARAMETER.lastIndex = at
    const match = PARAMETER.exec(head)
    if (match === null) {
      isExact &&= head.slice(at).trim() === ''
      break
    }
    at = PARAMETER.lastIndex
    const name = match[1]?.toLowerCase()
    if (name === undefined) continue
    const parameter = match[2] ?? ''
    // Some readers treat such text as a comment, others as a part of the value.
    if (parameters.has(name) || /^[^"]*[()]/.test(parameter)) isExact = false
    if (!parameters.has(name)) parameters.set(name, unquote(parameter))
  }
  return { value: value.toLowerCase(), parameters, isExact }
}

function unquote(text: string): string {
  return text.startsWith('"') ? text.slice(1, -1).replace(/\\(.)/gs, '$1') : text
}

const CONTINUATIONS_MAX = 100

/** Returns a text parameter: plain, by RFC 2231 (`name*=`, `name*0*=`, ...), or as encoded words, which are common. */
export function textParameter({ parameters }: ParameterValue, name: string): string | null {
  const whole = parameters.get(`${name}*`)
  if (whole !== undefined) return decodeExtended(whole)
  let raw = ''
  let isEncoded = false
  for (let no = 0; no < CONTINUATIONS_MAX; no++) {
    const encoded = parameters.get(`${name}*${no}*`)
    const piece = encoded ?? parameters.get(`${name}*${no}`)
    if (piece === undefined) break
    // A plain segment among encoded ones is literal (RFC 2231 section 4.1).
    raw += encoded === undefined ? piece.replaceAll('%', '%25') : piece
    isEncoded ||= no === 0 && encoded !== undefined
  }
  if (raw !== '') return isEncoded ? decodeExtended(raw) : raw.replaceAll('%25', '%')
  const plain = parameters.get(name)
  return plain === undefined ? null : readWords(plain)
}

/** Decodes `charset'language'percent-encoded` (RFC 2231 section 4). */
function decodeExtended(text: string): string {
  const [charset = '', , ...rest] = text.split("'")
  const octets = rest
    .join("'")
    .replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  try {
    return new TextDecoder(charset === '' ? 'utf-8' : charset).decode(Buffer.from(octets, 'latin1'))
  } catch {
    return octets
  }
}

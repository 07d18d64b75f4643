/** One header field: the name in lower case, the value unfolded and trimmed. */
export interface Field {
  name: string
  value: string
}

export type Fields = readonly Field[]

/** A header and the text below it. */
export interface Section {
  fields: Fields
  body: string
}

const HEADER_CHARS_MAX = 256 * 1024
const FIELD_COUNT_MAX = 1000
const VALUE_CHARS_MAX = 64 * 1024
/** The limits exceed any real field name. A value may exceed RFC 5322's line length. */
const FIELD = /^([!-9;-~]{1,200})[ \t]*:[ \t]*/

/**
 * Reads fields up to an empty line, or up to the first line that is not a field: the body begins there even without
 * an empty line.
 */
export function readSection(text: string): Section {
  const fields: Field[] = []
  let at = 0
  while (at < text.length && at < HEADER_CHARS_MAX && fields.length < FIELD_COUNT_MAX) {
    const lineEnd = text.indexOf('\n', at)
    const end = lineEnd < 0 ? text.length : lineEnd
    if (end === at) return { fields, body: text.slice(end + 1) }
    const line = text.slice(at, end)
    if (!takeLine(fields, line)) break
    at = end + 1
  }
  return { fields, body: text.slice(at) }
}

/** Returns false if the line is neither a field nor a continuation. */
function takeLine(fields: Field[], line: string): boolean {
  const last = fields.at(-1)
  if (/^[ \t]/.test(line)) {
    if (last === undefined) return line.trim() === ''
    if (last.value.length < VALUE_CHARS_MAX) last.value += last.value === '' ? line.trim() : ` ${line.trim()}`
    return true
  }
  const match = FIELD.exec(line)
  if (match === null) {
    // A parameter whose indentation was lost.
    const isParameter = last?.value.endsWith(';') === true && /^[a-z-]{1,40}=/i.test(line)
    if (isParameter) last.value += ` ${line.trim()}`
    return isParameter
  }
  fields.push({ name: (match[1] as string).toLowerCase(), value: line.slice(match[0].length).trimEnd() })
  return true
}

/** Returns the value of the first field with this name, or null. */
export function findField(fields: Fields, name: string): string | null {
  return fields.find((field) => field.name === name)?.value ?? null
}

/** Returns the values of all fields with this name. */
export function findFields(fields: Fields, name: string): string[] {
  return fields.filter((field) => field.name === name).map(({ value }) => value)
}

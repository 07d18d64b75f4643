import { isAscii } from 'node:buffer'
import type { Edit } from '../edits.ts'
import { type ParameterValue, parseParameterValue } from '../media-type.ts'
import { encodingEdit, findPreamble, mendEncoding } from './mend-encoding.ts'
import type { MessageProblem } from './message-problem.ts'
import { findHeaderEnd, firstValue, HEADER_BYTES_MAX, type HeaderField, readFields } from './raw-header.ts'

/** A header section, of the message itself or of a part. Offsets into the message. */
interface Section {
  fields: HeaderField[]
  headerStart: number
  /** The offset after the CRLF of the last field. The empty line follows. */
  headerEnd: number
  bodyStart: number
  /** False if the section has lines that readers interpret differently. */
  isWellFormed: boolean
}

/** A multipart or forwarded message. */
export interface RawContainer extends Section {
  /** Content-Transfer-Encoding in lower case; `7bit` where there is none. */
  encoding: string
  /** True if no octet may change: the part is signed, encrypted, or inside a forwarded message that is kept whole. */
  isFrozen: boolean
}

/** A part that contains no other parts. This includes a forwarded message, unless `readStructure` opens it. */
export interface RawPart extends RawContainer {
  bodyEnd: number
  type: ParameterValue
}

export interface RawStructure {
  parts: RawPart[]
  containers: RawContainer[]
  /** Whether the header of any part is not ASCII. */
  hasUtf8Header: boolean
  /** Write mended encodings into headers that stay otherwise. */
  edits: Edit[]
}

export interface StructureOptions {
  /** `whole` returns a forwarded message as one frozen part; `opened` returns its parts instead. */
  forwarded?: 'whole' | 'opened'
  /** Whether encodings with one meaning only are mended, in parts that may change. */
  mendsEncodings?: boolean
}

/** An open multipart. */
interface OpenMultipart {
  boundary: string
  /** The settings that its parts inherit. */
  inside: Place
}

interface Place {
  depth: number
  isFrozen: boolean
  /** True inside a forwarded message. */
  isForwarded: boolean
  defaultType: string
}

/** A line that ends a part; `start` is the CRLF before it, which belongs to it (RFC 2046 section 5.1.1). */
interface Delimiter {
  start: number
  /** The offset after its own CRLF. */
  end: number
  /** Which of the open multiparts it belongs to. */
  level: number
  isLast: boolean
}

const PART_COUNT_MAX = 1000
const DEPTH_MAX = 100
const HEADER_BYTES_SUM_MAX = 1024 * 1024
const DELIMITER_OCTETS_MAX = 998
/** Lines in multiparts that begin like delimiters but are none. Comparing one takes half a microsecond. */
const LIKENESS_COUNT_MAX = 500_000
/** Allows more characters than RFC 2046 section 5.1.1, because senders use them and readers accept them. */
const BOUNDARY = /^(?=.{1,200}$)[!-~](?:[ -~]*[!-~])?$/
const FROZEN = new Set(['multipart/signed', 'multipart/encrypted'])
const MESSAGES = new Set(['message/rfc822', 'message/global'])
const SPACE = 0x20
const TAB = 0x09
/** Encodings that leave the content unchanged (RFC 2045 section 6.2). */
export const IDENTITY_ENCODINGS: ReadonlySet<string> = new Set(['7bit', '8bit', 'binary'])
const ENCODING = 'content-transfer-encoding'
const SINGLE = ['content-type', ENCODING, 'content-disposition']

/**
 * Finds the parts of a message in one pass, without recursion and without copying a body. Returns a problem for nesting
 * deeper than 100 levels, more than 1,000 parts, more than 1 MiB of part headers, or a multipart that readers may split
 * in different ways.
 * @param fields the fields of the message's own header, which ends at `headerEnd`
 */
export function readStructure(
  bytes: Buffer,
  fields: HeaderField[],
  headerEnd: number,
  { forwarded = 'whole', mendsEncodings = false }: StructureOptions = {},
): RawStructure | MessageProblem {
  const reader = new StructureReader(bytes, forwarded === 'opened', mendsEncodings)
  return reader.read({
    fields,
    headerStart: 0,
    headerEnd,
    bodyStart: Math.min(headerEnd + 2, bytes.length),
    isWellFormed: true,
  })
}

class StructureReader {
  readonly #bytes: Buffer
  readonly #opensForwarded: boolean
  readonly #mendsEncodings: boolean
  /** The open multiparts, outermost first, and the level of each boundary. */
  readonly #open: OpenMultipart[] = []
  readonly #levels = new Map<string, number>()
  readonly #parts: RawPart[] = []
  readonly #containers: RawContainer[] = []
  /** Parts whose end is not found yet, with the number of multiparts around them. */
  readonly #unended: { part: RawPart; level: number }[] = []
  /** The offset at which the search for the next delimiter starts. */
  #at = 0
  #partCount = 0
  #headerBytes = 0
  #hasUtf8Header = false
  #likenessCount = 0
  /** The last result of `findHeaderEnd`: hundreds of parts may come before one empty line, which is then searched once. */
  #nextHeaderEnd = -1
  /** How much may be searched for first delimiters. The texts before those of all multiparts are no longer than the message. */
  #preambleMax: number
  readonly #edits: Edit[] = []
  /** The first problem; reading ends with it. */
  #problem: MessageProblem | null = null

  constructor(bytes: Buffer, opensForwarded: boolean, mendsEncodings: boolean) {
    this.#bytes = bytes
    this.#preambleMax = bytes.length
    this.#opensForwarded = opensForwarded
    this.#mendsEncodings = mendsEncodings
  }

  read(message: Section): RawStructure | MessageProblem {
    this.#enter(message, { depth: 0, isFrozen: false, isForwarded: false, defaultType: 'text/plain' })
    while (this.#problem === null) {
      const delimiter = this.#open.length === 0 ? null : this.#findDelimiter(this.#at, this.#bytes.length)
      this.#endParts(delimiter?.level ?? -1, delimiter?.start ?? this.#bytes.length)
      if (delimiter === null) break
      this.#pass(delimiter)
    }
    return (
      this.#problem ?? {
        parts: this.#parts,
        containers: this.#containers,
        hasUtf8Header: this.#hasUtf8Header,
        edits: this.#edits,
      }
    )
  }

  #endParts(level: number, end: number): void {
    while ((this.#unended.at(-1)?.level ?? -1) > level) {
      const { part } = this.#unended.pop() as { part: RawPart }
      part.bodyEnd = Math.max(part.bodyStart, end)
    }
  }

  /** Closes the multiparts that a delimiter ends, and begins the part after it if there is one. */
  #pass({ level, isLast, end }: Delimiter): void {
    for (const { boundary } of this.#open.splice(isLast ? level : level + 1)) this.#levels.delete(boundary)
    // One CRLF may end this delimiter and begin the next.
    this.#at = end - 2
    const container = this.#open[level]
    if (!isLast && container !== undefined) this.#enter(this.#readSection(end), container.inside)
  }

  /** Begins a part. Enters a forwarded message immediately, because its parts count toward the limits. */
  #enter(first: Section, place: Place): void {
    let section = first
    let inside = place
    for (;;) {
      this.#problem ??= this.#count(section, inside)
      if (this.#problem !== null) return
      this.#at = section.bodyStart - 2
      const type = parseParameterValue(firstOf(this.#bytes, section, 'content-type') ?? inside.defaultType)
      const encoding = this.#readEncoding(section, inside, type)
      const isIdentity = IDENTITY_ENCODINGS.has(encoding)
      const part = { ...section, encoding, isFrozen: inside.isFrozen, type }
      if (type.value.startsWith('multipart/')) {
        if (this.#openMultipart(type, isIdentity, inside)) this.#containers.push(part)
        else if (this.#opensForwarded) this.#addPart(part)
        return
      }
      const isMessage = MESSAGES.has(type.value) && isIdentity
      if (isMessage) this.#containers.push(part)
      if (this.#opensForwarded ? !isMessage : !inside.isForwarded) {
        this.#addPart({ ...part, isFrozen: inside.isFrozen || isMessage })
      }
      if (!isMessage) return
      section = this.#readSection(section.bodyStart)
      const isFrozen = inside.isFrozen || !this.#opensForwarded
      inside = { depth: inside.depth + 1, isFrozen, isForwarded: true, defaultType: 'text/plain' }
    }
  }

  /** Returns the encoding of a part, and mends its field if it may change. */
  #readEncoding(section: Section, place: Place, type: ParameterValue): string {
    const encoding = firstOf(this.#bytes, section, ENCODING)?.toLowerCase() ?? '7bit'
    const field = section.fields.find(({ name }) => name === ENCODING)
    if (!this.#mendsEncodings || place.isFrozen || place.isForwarded || field === undefined) return encoding
    const mended = mendEncoding(encoding, () => this.#isReadableMultipart(section.bodyStart, type))
    if (mended !== encoding) this.#edits.push(encodingEdit(field, mended))
    return mended
  }

  #isReadableMultipart(bodyStart: number, type: ParameterValue): boolean {
    const length = findPreamble(this.#bytes, bodyStart, type, this.#preambleMax)
    this.#preambleMax -= length ?? 0
    return length !== null
  }

  #addPart(begun: Omit<RawPart, 'bodyEnd'>): void {
    const part = { ...begun, bodyEnd: this.#bytes.length }
    this.#parts.push(part)
    this.#unended.push({ part, level: this.#open.length })
  }

  /** Returns false if the boundary is ambiguous, which is a problem except in a forwarded message. */
  #openMultipart(type: ParameterValue, isIdentity: boolean, place: Place): boolean {
    const boundary = type.parameters.get('boundary') ?? ''
    const isClear =
      isIdentity &&
      type.isExact &&
      BOUNDARY.test(boundary) &&
      ![boundary, `${boundary}--`, boundary.replace(/--$/, '')].some((other) => this.#levels.has(other))
    if (!isClear) {
      // An ambiguity inside a forwarded message is harmless: the message is kept whole.
      if (!place.isForwarded) this.#problem ??= { problem: 'ambiguous_multipart' }
      return false
    }
    this.#levels.set(boundary, this.#open.length)
    this.#open.push({
      boundary,
      inside: {
        depth: place.depth + 1,
        isFrozen: place.isFrozen || FROZEN.has(type.value),
        isForwarded: place.isForwarded,
        // RFC 2046 section 5.1.5.
        defaultType: type.value === 'multipart/digest' ? 'message/rfc822' : 'text/plain',
      },
    })
    return true
  }

  #count(section: Section, place: Place): MessageProblem | null {
    const { headerStart, headerEnd, fields } = section
    if (place.depth > DEPTH_MAX) return { problem: 'too_deep', levelsMax: DEPTH_MAX }
    if (++this.#partCount > PART_COUNT_MAX) {
      return { problem: 'too_many_parts', countMax: PART_COUNT_MAX }
    }
    if (headerStart === 0) return null
    this.#headerBytes += headerEnd - headerStart
    if (this.#headerBytes > HEADER_BYTES_SUM_MAX) {
      return { problem: 'long_part_headers', bytesMax: HEADER_BYTES_SUM_MAX }
    }
    this.#hasUtf8Header ||= !isAscii(this.#bytes.subarray(headerStart, headerEnd))
    const twice = SINGLE.find((name) => fields.filter((field) => field.name === name).length > 1)
    return twice === undefined || place.isForwarded ? null : { problem: 'repeated_part_field', name: twice }
  }

  /** Reads the header section of a part, which ends at an empty line or at the end of the part. */
  #readSection(start: number): Section {
    if (start > this.#nextHeaderEnd - 2) this.#nextHeaderEnd = findHeaderEnd(this.#bytes, start)
    const end = this.#nextHeaderEnd
    const delimiter = this.#findDelimiter(start - 2, end < 0 ? start + HEADER_BYTES_MAX : end)
    if (end < 0 && delimiter === null) this.#problem ??= { problem: 'long_part_header' }
    const headerEnd = delimiter === null ? Math.max(end, start) : delimiter.start + 2
    const fields: HeaderField[] = []
    const problem = readFields(this.#bytes, start, headerEnd, fields)
    const bodyStart = delimiter === null ? Math.min(headerEnd + 2, this.#bytes.length) : headerEnd
    return { fields, headerStart: start, headerEnd, bodyStart, isWellFormed: problem === null }
  }

  /** Finds the first delimiter line of any open multipart between `from` and `to`. Returns null after a problem. */
  #findDelimiter(from: number, to: number): Delimiter | null {
    const bytes = to < this.#bytes.length ? this.#bytes.subarray(0, to + 2) : this.#bytes
    for (let start = from; ; start += 4) {
      start = bytes.indexOf('\r\n--', start, 'latin1')
      if (start < 0 || start >= to) return null
      const lineEnd = this.#bytes.indexOf('\r\n', start + 4, 'latin1')
      if (lineEnd - start > DELIMITER_OCTETS_MAX) continue
      const line = this.#bytes.toString('latin1', start + 4, trimmedEnd(this.#bytes, start + 4, lineEnd))
      const level = this.#levels.get(line)
      if (level !== undefined) return { start, end: lineEnd + 2, level, isLast: false }
      const last = line.endsWith('--') ? this.#levels.get(line.slice(0, -2)) : undefined
      if (last !== undefined) return { start, end: lineEnd + 2, level: last, isLast: true }
      if (++this.#likenessCount > LIKENESS_COUNT_MAX) {
        this.#problem ??= { problem: 'too_many_delimiters', countMax: LIKENESS_COUNT_MAX }
        return null
      }
    }
  }
}

/** A delimiter line may end in spaces and tabs (RFC 2046 section 5.1.1). */
function trimmedEnd(bytes: Buffer, start: number, lineEnd: number): number {
  let end = lineEnd
  while (end > start && (bytes[end - 1] === SPACE || bytes[end - 1] === TAB)) end--
  return end
}

function firstOf(bytes: Buffer, { fields }: Section, name: string): string | null {
  return firstValue(bytes, fields, name)
}

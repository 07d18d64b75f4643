import { isAscii } from 'node:buffer'
import { type ParameterValue, parseParameterValue } from '../media-type.ts'
import {
  findHeaderEnd,
  firstValue,
  HEADER_BYTES_MAX,
  type HeaderField,
  readFields,
  refuseRaw,
} from './raw-header.ts'

/** A header section, of the message itself or of a part. Offsets into the message. */
interface Section {
  fields: HeaderField[]
  headerStart: number
  /** Behind the CRLF of its last field; the empty line follows. */
  headerEnd: number
  bodyStart: number
  /** False: it has lines that readers take in different ways. */
  isWellFormed: boolean
}

/** A multipart or forwarded message. */
export interface RawContainer extends Section {
  /** Content-Transfer-Encoding in lower case; `7bit` where there is none. */
  encoding: string
  /** Signed, encrypted or (where it is one whole) forwarded: not an octet of it may change. */
  isFrozen: boolean
}

/** A part that holds no other parts; a forwarded message is one too, unless it was to be opened. */
export interface RawPart extends RawContainer {
  bodyEnd: number
  type: ParameterValue
}

export interface RawStructure {
  parts: RawPart[]
  containers: RawContainer[]
  /** Some header below the message's own is not ASCII. */
  hasUtf8Header: boolean
}

/** An open multipart. */
interface OpenMultipart {
  boundary: string
  /** What its parts inherit. */
  inside: Place
}

interface Place {
  depth: number
  isFrozen: boolean
  /** Inside a forwarded message. */
  isForwarded: boolean
  defaultType: string
}

/** A line that ends a part; `start` is the CRLF before it, which belongs to it (RFC 2046 section 5.1.1). */
interface Delimiter {
  start: number
  /** Behind its own CRLF. */
  end: number
  /** Which of the open multiparts it belongs to. */
  level: number
  isLast: boolean
}

const PART_COUNT_MAX = 1000
const DEPTH_MAX = 100
const HEADER_BYTES_SUM_MAX = 1024 * 1024
const DELIMITER_OCTETS_MAX = 998
/** Lines that begin like delimiters and are none, inside of multiparts: each is compared, which takes half a microsecond. */
const LIKENESS_COUNT_MAX = 500_000
/** RFC 2046 section 5.1.1, in more characters than it allows, because many are sent that are understood. */
const BOUNDARY = /^(?=.{1,200}$)[!-~](?:[ -~]*[!-~])?$/
const FROZEN = new Set(['multipart/signed', 'multipart/encrypted'])
const MESSAGES = new Set(['message/rfc822', 'message/global'])
const SPACE = 0x20
const TAB = 0x09
/** What stands for itself (RFC 2045 section 6.2). */
export const IDENTITY_ENCODINGS: ReadonlySet<string> = new Set(['7bit', '8bit', 'binary'])
const SINGLE = ['content-type', 'content-transfer-encoding', 'content-disposition']

/**
 * Finds the parts of a message: one pass over its octets, without recursion, without copying a body. A message that is
 * nested deeper than 100 levels, has more than 1,000 parts or 1 MiB of headers in them, or a multipart that readers
 * may split in different ways, is refused (422).
 * @param fields those of the message's own header, which ends at `headerEnd`
 * @param forwarded `whole`: a forwarded message is one frozen part; `opened`: its parts are given in its place
 */
export function readStructure(
  bytes: Buffer,
  fields: HeaderField[],
  headerEnd: number,
  forwarded: 'whole' | 'opened' = 'whole',
): RawStructure {
  const reader = new StructureReader(bytes, forwarded === 'opened')
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
  /** The multiparts that are open, outermost first, and the place of each boundary among them. */
  readonly #open: OpenMultipart[] = []
  readonly #levels = new Map<string, number>()
  readonly #parts: RawPart[] = []
  readonly #containers: RawContainer[] = []
  /** Parts whose end is not found yet, with the number of multiparts around them. */
  readonly #unended: { part: RawPart; level: number }[] = []
  /** Where the next delimiter is looked for. */
  #at = 0
  #partCount = 0
  #headerBytes = 0
  #hasUtf8Header = false
  #likenessCount = 0

  constructor(bytes: Buffer, opensForwarded: boolean) {
    this.#bytes = bytes
    this.#opensForwarded = opensForwarded
  }

  read(message: Section): RawStructure {
    this.#enter(message, { depth: 0, isFrozen: false, isForwarded: false, defaultType: 'text/plain' })
    for (;;) {
      const delimiter = this.#open.length === 0 ? null : this.#findDelimiter(this.#at, this.#bytes.length)
      this.#endParts(delimiter?.level ?? -1, delimiter?.start ?? this.#bytes.length)
      if (delimiter === null) {
        return { parts: this.#parts, containers: this.#containers, hasUtf8Header: this.#hasUtf8Header }
      }
      this.#pass(delimiter)
    }
  }

  #endParts(level: number, end: number): void {
    while ((this.#unended.at(-1)?.level ?? -1) > level) {
      const { part } = this.#unended.pop() as { part: RawPart }
      part.bodyEnd = Math.max(part.bodyStart, end)
    }
  }

  /** Closes the multiparts that a delimiter ends, and begins the part behind it if there is one. */
  #pass({ level, isLast, end }: Delimiter): void {
    for (const { boundary } of this.#open.splice(isLast ? level : level + 1)) this.#levels.delete(boundary)
    // The CRLF that ends one delimiter may be the one that the next begins with.
    this.#at = end - 2
    const container = this.#open[level]
    if (!isLast && container !== undefined) this.#enter(this.#readSection(end), container.inside)
  }

  /** Begins a part; a forwarded message is entered at once, for what it counts. */
  #enter(first: Section, place: Place): void {
    let section = first
    let inside = place
    for (;;) {
      this.#count(section, inside)
      this.#at = section.bodyStart - 2
      const type = parseParameterValue(firstOf(this.#bytes, section, 'content-type') ?? inside.defaultType)
      const encoding = (firstOf(this.#bytes, section, 'content-transfer-encoding') ?? '7bit').toLowerCase()
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

  #addPart(begun: Omit<RawPart, 'bodyEnd'>): void {
    const part = { ...begun, bodyEnd: this.#bytes.length }
    this.#parts.push(part)
    this.#unended.push({ part, level: this.#open.length })
  }

  /** False: it is of a forwarded message, and nobody can say where its parts are. */
  #openMultipart(type: ParameterValue, isIdentity: boolean, place: Place): boolean {
    const boundary = type.parameters.get('boundary') ?? ''
    const isClear =
      isIdentity &&
      type.isExact &&
      BOUNDARY.test(boundary) &&
      ![boundary, `${boundary}--`, boundary.replace(/--$/, '')].some((other) => this.#levels.has(other))
    if (!isClear) {
      // Nobody is misled by what a forwarded message holds: it is left whole.
      if (place.isForwarded) return false
      throw refuseRaw(
        'The raw_message field has a multipart whose boundary or encoding is missing, malformed or ambiguous.',
      )
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

  #count(section: Section, place: Place): void {
    const { headerStart, headerEnd, fields } = section
    if (place.depth > DEPTH_MAX) {
      throw refuseRaw(`The raw_message field must not be nested deeper than ${DEPTH_MAX} levels.`)
    }
    if (++this.#partCount > PART_COUNT_MAX) {
      throw refuseRaw(`The raw_message field must not have more than ${PART_COUNT_MAX} parts.`)
    }
    if (headerStart === 0) return
    this.#headerBytes += headerEnd - headerStart
    if (this.#headerBytes > HEADER_BYTES_SUM_MAX) {
      throw refuseRaw(
        `The headers of all parts of the raw_message field must not be greater than ${HEADER_BYTES_SUM_MAX} bytes.`,
      )
    }
    this.#hasUtf8Header ||= !isAscii(this.#bytes.subarray(headerStart, headerEnd))
    const twice = SINGLE.find((name) => fields.filter((field) => field.name === name).length > 1)
    if (twice !== undefined && !place.isForwarded) {
      throw refuseRaw(`The raw_message field has a part with more than one ${twice} field.`)
    }
  }

  /** The header section of a part. It ends at an empty line, or where the part does. */
  #readSection(start: number): Section {
    const found = findHeaderEnd(this.#bytes, start)
    const delimiter = this.#findDelimiter(start - 2, found < 0 ? start + HEADER_BYTES_MAX : found)
    if (found < 0 && delimiter === null) {
      throw refuseRaw('The raw_message field has a part with an over-long header.')
    }
    const headerEnd = delimiter === null ? found : delimiter.start + 2
    const fields: HeaderField[] = []
    const problem = readFields(this.#bytes, start, headerEnd, fields)
    const bodyStart = delimiter === null ? Math.min(headerEnd + 2, this.#bytes.length) : headerEnd
    return { fields, headerStart: start, headerEnd, bodyStart, isWellFormed: problem === null }
  }

  /** The first delimiter line of any open multipart that begins from `from` on and before `to`. */
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
        throw refuseRaw(
          `The raw_message field must not have more than ${LIKENESS_COUNT_MAX} lines in multiparts that begin with two hyphens.`,
        )
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

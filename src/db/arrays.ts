import { isLarge, Pieces } from './pieces.ts'

/**
 * PostgreSQL arrays in binary form, for `unnest($1::uuid[], ...)`. pg sends a Buffer parameter as binary, so a batch
 * of bodies is neither escaped into text nor parsed back.
 * Layout: PostgreSQL's array_recv (src/backend/utils/adt/arrayfuncs.c): dimensions, has-null flag, element oid,
 * length and lower bound, then each element as a length and its bytes (-1 for null).
 */
const OID = {
  bool: 16,
  bytea: 17,
  int2: 21,
  int4: 23,
  int8: 20,
  text: 25,
  timestamptz: 1184,
  uuid: 2950,
  jsonb: 3802,
} as const
/** PostgreSQL counts microseconds from 2000-01-01. */
const PG_EPOCH_MS = Date.UTC(2000, 0, 1)

type Write<T> = { size(value: T): number; put(buffer: Buffer, at: number, value: T): void }

function encode<T>(oid: number, values: readonly (T | null)[], write: Write<T>): Buffer {
  let bytes = HEAD_BYTES
  for (const value of values) bytes += 4 + (value === null ? 0 : write.size(value))
  const buffer = Buffer.allocUnsafe(bytes)
  writeHead(buffer, oid, values)
  let at = HEAD_BYTES
  for (const value of values) {
    const size = value === null ? -1 : write.size(value)
    buffer.writeInt32BE(size, at)
    at += 4
    if (value === null) continue
    write.put(buffer, at, value)
    at += size
  }
  return buffer
}

const HEAD_BYTES = 20

function writeHead(buffer: Buffer, oid: number, values: readonly unknown[]): void {
  buffer.writeInt32BE(1, 0)
  buffer.writeInt32BE(values.includes(null) ? 1 : 0, 4)
  buffer.writeInt32BE(oid, 8)
  buffer.writeInt32BE(values.length, 12)
  buffer.writeInt32BE(1, 16)
}

const bytea: Write<Buffer> = {
  size: (value) => value.length,
  put: (buffer, at, value) => value.copy(buffer, at),
}

/** Large values are not copied. They must not change before the statement ends. */
function encodeBytea(values: readonly (Buffer | null)[]): Buffer | Pieces {
  if (!values.some(isLarge)) return encode(OID.bytea, values, bytea)
  const head = Buffer.alloc(HEAD_BYTES)
  writeHead(head, OID.bytea, values)
  const elements = values.flatMap((value) => {
    const length = Buffer.alloc(4)
    length.writeInt32BE(value === null ? -1 : value.length)
    return value === null ? [length] : [length, value]
  })
  return new Pieces([head, ...elements])
}

const bool: Write<boolean> = {
  size: () => 1,
  put: (buffer, at, value) => buffer.writeInt8(value ? 1 : 0, at),
}
const int2: Write<number> = { size: () => 2, put: (buffer, at, value) => buffer.writeInt16BE(value, at) }
const int4: Write<number> = { size: () => 4, put: (buffer, at, value) => buffer.writeInt32BE(value, at) }
const int8: Write<number> = { size: () => 8, put: (buffer, at, value) => putProduct(buffer, at, value, 1) }
const timestamptz: Write<Date> = {
  size: () => 8,
  put: (buffer, at, value) => putProduct(buffer, at, value.getTime() - PG_EPOCH_MS, 1000),
}

const TWO_32 = 0x1_0000_0000

/** Writes the product of a whole number and a small factor as an int8: exact like a BigInt, without allocating one. */
function putProduct(buffer: Buffer, at: number, value: number, factor: number): void {
  const high = Math.floor(value / TWO_32)
  const low = (value - high * TWO_32) * factor
  const carry = Math.floor(low / TWO_32)
  buffer.writeInt32BE(high * factor + carry, at)
  buffer.writeUInt32BE(low - carry * TWO_32, at + 4)
}

const DASH = 0x2d
const uuid: Write<string> = {
  size: () => 16,
  // A loop costs less than `replaceAll` and a native call for each of a thousand ids.
  put(buffer, start, value) {
    let at = start
    let high = -1
    for (let index = 0; index < value.length && at < start + 16; index++) {
      const code = value.charCodeAt(index)
      if (code === DASH) continue
      const digit = parseHex(code)
      if (high === -1) high = digit
      else {
        buffer[at++] = (high << 4) | digit
        high = -1
      }
    }
  },
}

function parseHex(code: number): number {
  return code <= 0x39 ? code - 0x30 : (code | 0x20) - 0x57
}

/** Space for the length of an element, and for the version of jsonb, in the text that joins all elements. */
const TEXT_ROOM = '\0\0\0\0'
const JSONB_ROOM = '\0\0\0\0\u0001'

/** Writes all elements in a single call, and then their lengths into the space between them. */
function encodeTexts(oid: number, values: readonly (string | null)[], room: string): Buffer {
  let padded = ''
  for (const value of values) padded += value === null ? TEXT_ROOM : room + value
  const bytes = Buffer.byteLength(padded)
  const isAscii = bytes === padded.length
  const buffer = Buffer.allocUnsafe(HEAD_BYTES + bytes)
  writeHead(buffer, oid, values)
  buffer.write(padded, HEAD_BYTES)
  const versionBytes = room.length - TEXT_ROOM.length
  let at = HEAD_BYTES
  for (const value of values) {
    const size = value === null ? -1 : versionBytes + (isAscii ? value.length : Buffer.byteLength(value))
    buffer.writeInt32BE(size, at)
    at += TEXT_ROOM.length + Math.max(0, size)
  }
  return buffer
}

export const arrays = {
  bool: (values: readonly (boolean | null)[]) => encode(OID.bool, values, bool),
  int2: (values: readonly (number | null)[]) => encode(OID.int2, values, int2),
  int4: (values: readonly (number | null)[]) => encode(OID.int4, values, int4),
  int8: (values: readonly (number | null)[]) => encode(OID.int8, values, int8),
  uuid: (values: readonly (string | null)[]) => encode(OID.uuid, values, uuid),
  text: (values: readonly (string | null)[]) => encodeTexts(OID.text, values, TEXT_ROOM),
  bytea: encodeBytea,
  timestamptz: (values: readonly (Date | null)[]) => encode(OID.timestamptz, values, timestamptz),
  /** Values must already be JSON text. */
  jsonb: (values: readonly (string | null)[]) => encodeTexts(OID.jsonb, values, JSONB_ROOM),
}

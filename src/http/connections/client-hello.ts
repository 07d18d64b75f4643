import type { Socket } from 'node:net'

/** The protocol by which a certificate authority asks for a challenge (RFC 8737 section 4). */
export const ACME_PROTOCOL = 'acme-tls/1'

/** RFC 8446 sections 5.1, 4, 4.2. */
const HEADER_BYTES = 5
const RECORD_HANDSHAKE = 22
const RECORD_BYTES_MAX = 16_384
const CLIENT_HELLO = 1
const RANDOM_BYTES = 32
const EXTENSION_SERVER_NAME = 0
const EXTENSION_ALPN = 16
const CHANGES = ['readable', 'end', 'error', 'close'] as const

/**
 * Reads the first TLS record of a connection and puts it back, so that the handshake reads it again. Returns an empty
 * buffer when the connection ends before.
 */
export async function peekRecord(socket: Socket): Promise<Buffer> {
  let bytes: Buffer = Buffer.alloc(0)
  while (!isWhole(bytes)) {
    const chunk = socket.read() as Buffer | null
    if (chunk !== null) bytes = Buffer.concat([bytes, chunk])
    else if (socket.readableEnded || socket.destroyed) return Buffer.alloc(0)
    else await untilChanged(socket)
  }
  socket.unshift(bytes)
  return bytes
}

async function untilChanged(socket: Socket): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  for (const name of CHANGES) socket.once(name, resolve)
  await promise
  for (const name of CHANGES) socket.off(name, resolve)
}

/** Bytes that cannot be a record are whole: the handshake rejects them. */
function isWhole(bytes: Buffer): boolean {
  if (bytes.length > 0 && bytes[0] !== RECORD_HANDSHAKE) return true
  if (bytes.length < HEADER_BYTES) return false
  return bytes.length >= HEADER_BYTES + Math.min(bytes.readUInt16BE(3), RECORD_BYTES_MAX)
}

/**
 * Returns the host for which a ClientHello asks for the answer to a TLS-ALPN-01 challenge (RFC 8737 section 3), or null
 * for all other bytes. Authorities send it as one record.
 */
export function readChallengeHost(record: Buffer): string | null {
  // Nearly all connections end here.
  if (!record.includes(ACME_PROTOCOL)) return null
  try {
    const extensions = readExtensions(record)
    const protocols = readVector(extensions.get(EXTENSION_ALPN) ?? Buffer.alloc(0), 0, 2).bytes
    const protocol = readVector(protocols, 0, 1)
    // The authority offers this protocol and no other.
    if (protocol.bytes.toString('latin1') !== ACME_PROTOCOL || protocol.next !== protocols.length) return null
    const names = readVector(extensions.get(EXTENSION_SERVER_NAME) ?? Buffer.alloc(0), 0, 2).bytes
    // The only kind of name is 0, a host name (RFC 6066 section 3).
    return names[0] === 0 ? readVector(names, 1, 2).bytes.toString('latin1') : null
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

/** Reads the extensions of a ClientHello by their types. Throws RangeError when it is cut off. */
function readExtensions(record: Buffer): Map<number, Buffer> {
  const extensions = new Map<number, Buffer>()
  if (record.readUInt8(HEADER_BYTES) !== CLIENT_HELLO) return extensions
  const hello = readVector(record, HEADER_BYTES + 1, 3).bytes
  const session = readVector(hello, 2 + RANDOM_BYTES, 1)
  const ciphers = readVector(hello, session.next, 2)
  const compressions = readVector(hello, ciphers.next, 1)
  const all = readVector(hello, compressions.next, 2).bytes
  for (let at = 0; at < all.length; ) {
    const { bytes, next } = readVector(all, at + 2, 2)
    extensions.set(all.readUInt16BE(at), bytes)
    at = next
  }
  return extensions
}

/** Reads a vector behind its length (RFC 8446 section 3.4). Throws RangeError when it is cut off. */
function readVector(from: Buffer, at: number, lengthBytes: number): { bytes: Buffer; next: number } {
  const start = at + lengthBytes
  const next = start + from.readUIntBE(at, lengthBytes)
  if (next > from.length) throw new RangeError('the vector is cut off')
  return { bytes: from.subarray(start, next), next }
}

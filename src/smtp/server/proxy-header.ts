import type { Socket } from 'node:net'
import { canonicalAddress } from '../../config/canonical-address.ts'

/** Begins each header of version 2. It is not valid at the start of any protocol that might be meant instead. */
const SIGNATURE = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1')
const FIXED_BYTES = SIGNATURE.length + 4
/** The addresses, and extensions such as the TLS state of the client, which are ignored. */
const REST_BYTES_MAX = 4_096
const TIMEOUT_MS = 5_000

/** In the 13th byte: version 2, and whether the proxy speaks for a client or for itself (a health check). */
const FOR_CLIENT = 0x21
const FOR_ITSELF = 0x20
/** In the 14th byte: the family of the addresses, over TCP. */
const TCP4 = 0x11
const TCP6 = 0x21

/**
 * Reads the header with which a proxy begins a connection (The PROXY protocol, version 2), and nothing after it.
 * Resolves to the client's address; to that of the socket if the proxy speaks for itself or does not know the client; to
 * null if the header is missing, invalid or late, or the connection ends before.
 */
export async function readProxyHeader(socket: Socket): Promise<string | null> {
  const ending = AbortSignal.timeout(TIMEOUT_MS)
  const fixed = await readBytes(socket, FIXED_BYTES, ending)
  if (fixed === null || !fixed.subarray(0, SIGNATURE.length).equals(SIGNATURE)) return null
  const length = fixed.readUInt16BE(FIXED_BYTES - 2)
  if (length > REST_BYTES_MAX) return null
  const rest = length === 0 ? Buffer.alloc(0) : await readBytes(socket, length, ending)
  if (rest === null) return null
  const own = socket.remoteAddress ?? ''
  const command = fixed[SIGNATURE.length]
  if (command === FOR_ITSELF) return own
  return command === FOR_CLIENT ? sourceOf(fixed[SIGNATURE.length + 1], rest, own) : null
}

/** The source address comes first, before the destination's and the ports. */
function sourceOf(family: number | undefined, addresses: Buffer, own: string): string | null {
  if (family === TCP4) return addresses.length < 12 ? null : addresses.subarray(0, 4).join('.')
  if (family === TCP6) return addresses.length < 36 ? null : formatIpv6(addresses.subarray(0, 16))
  return own
}

function formatIpv6(bytes: Buffer): string | null {
  const groups = Array.from({ length: 8 }, (_, index) => bytes.readUInt16BE(2 * index).toString(16))
  return canonicalAddress(groups.join(':'))
}

/** Resolves to exactly so many bytes; to null if the connection or the time ends before. */
function readBytes(socket: Socket, count: number, ending: AbortSignal): Promise<Buffer | null> {
  return new Promise((resolve) => {
    const finish = (bytes: Buffer | null) => {
      socket.off('readable', tryRead)
      socket.off('end', giveUp)
      socket.off('close', giveUp)
      ending.removeEventListener('abort', giveUp)
      resolve(bytes)
    }
    const giveUp = () => finish(null)
    const tryRead = () => {
      const bytes = socket.read(count) as Buffer | null
      if (bytes !== null) finish(bytes.length === count ? bytes : null)
    }
    socket.on('readable', tryRead)
    socket.once('end', giveUp)
    socket.once('close', giveUp)
    ending.addEventListener('abort', giveUp)
    tryRead()
  })
}

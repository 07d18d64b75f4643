import type { Db } from '../../db/db-types.ts'
import { decodeMessageHead } from '../../mime/encoding.ts'
import type { DueDelivery } from '../../queue/types.ts'
import { loadMessageHead } from '../rows/message-heads-queries.ts'

/** A zstd block holds at most 128 KB of content and is itself no longer than that. */
const HEAD_BYTES = 160 * 1024
const END = Buffer.from('\r\n\r\n')

/**
 * Returns the message's header with its line ends. Reads only the beginning of content that was too large to
 * preload.
 */
export async function loadMessageHeader(db: Db, delivery: DueDelivery): Promise<Buffer> {
  if (delivery.message !== null) return cutHeader(delivery.message.bytes)
  const stored = await loadMessageHead(db, delivery, HEAD_BYTES)
  return stored === null ? Buffer.alloc(0) : cutHeader(decodeMessageHead(stored.encoding, stored.head))
}

function cutHeader(bytes: Buffer): Buffer {
  const end = bytes.indexOf(END)
  return bytes.subarray(0, end === -1 ? Math.min(bytes.length, HEAD_BYTES) : end + 2)
}

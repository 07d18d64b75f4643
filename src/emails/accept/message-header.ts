import type { Db } from '../../db/db-types.ts'
import { decodeMessageHead } from '../../mime/encoding.ts'
import { HEADER_BYTES_MAX } from '../../mime/raw/raw-header.ts'
import type { DueDelivery } from '../../queue/types.ts'
import { loadMessageHead } from '../rows/message-heads-queries.ts'

/** A zstd block holds at most 128 KB of content and is itself no longer than that. */
const HEAD_BYTES = 160 * 1024
/** More than the longest header with the fields that are added to it. */
const CONTENT_BYTES = 2 * HEADER_BYTES_MAX
const END = Buffer.from('\r\n\r\n')

/**
 * Returns the message's header with its line ends. Reads only the beginning of content that was too large to
 * preload.
 */
export async function loadMessageHeader(db: Db, delivery: DueDelivery): Promise<Buffer> {
  if (delivery.message !== null) return cutHeader(delivery.message.bytes)
  const stored = await loadMessageHead(db, delivery, HEAD_BYTES)
  if (stored === null) return Buffer.alloc(0)
  return cutHeader(await decodeMessageHead(stored.encoding, stored.head, CONTENT_BYTES))
}

function cutHeader(bytes: Buffer): Buffer {
  const end = bytes.indexOf(END)
  return bytes.subarray(0, end === -1 ? Math.min(bytes.length, HEAD_BYTES) : end + 2)
}

import type { Db } from '../../db/db-types.ts'
import { decodeMessageHead } from '../../mime/encoding.ts'
import type { DueDelivery } from '../../queue/types.ts'
import { loadMessageHead } from '../message-heads-queries.ts'

/** A whole block of zstd holds 128 KB of content at most, and is no longer than that itself. */
const HEAD_BYTES = 160 * 1024
const END = Buffer.from('\r\n\r\n')

/** The message's header, its line ends included. Of a content too large to be loaded ahead only the beginning is read. */
export async function readHeader(db: Db, delivery: DueDelivery): Promise<Buffer> {
  if (delivery.message !== null) return cutHeader(delivery.message.bytes)
  const stored = await loadMessageHead(db, delivery, HEAD_BYTES)
  return stored === null ? Buffer.alloc(0) : cutHeader(decodeMessageHead(stored.encoding, stored.head))
}

function cutHeader(bytes: Buffer): Buffer {
  const end = bytes.indexOf(END)
  return bytes.subarray(0, end === -1 ? Math.min(bytes.length, HEAD_BYTES) : end + 2)
}

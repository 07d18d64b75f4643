import { serialize } from 'node:v8'
import { parentPort } from 'node:worker_threads'
import { ownedArrays, packError } from '../../lib/async/transfer.ts'
import { decodeAttachments } from './attachment-content.ts'
import { cutLongTexts } from './cut-texts.ts'
import { hashRequest } from './hash-request.ts'
import { parseJson } from './json.ts'
import type { JsonJob, ReadBody } from './large-json.ts'

/** The limit on parts of one list. */
const PARTS_MAX = 100
/** A shorter body has no text that is too long. */
const LONG_BYTES_MIN = 40_000_000

/** Entry point of the thread that parses large bodies (large-json.ts), hashes them and decodes their attachments. */
function read({ bytes, form, isHashed }: JsonJob): ReadBody {
  const bytesCount = bytes.length
  const value = parseJson(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), form)
  // Free the octets now. Otherwise they stay in memory beside the parsed value until the next garbage collection.
  bytes.buffer.transfer(0)
  const hash = isHashed ? new Uint8Array(hashRequest(value)) : null
  const holdsOctets = form.hasBuffers === true && decodeAttachments(value).length > 0
  if (bytesCount > LONG_BYTES_MIN) cutLongTexts(value)
  const isList = Array.isArray(value)
  return {
    isList,
    parts: (isList ? partsOf(value) : [value]).map((part) => serialize(part)),
    holdsOctets,
    hash,
  }
}

function partsOf(items: readonly unknown[]): unknown[][] {
  const size = Math.max(1, Math.ceil(items.length / PARTS_MAX))
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  )
}

parentPort?.on('message', (job: JsonJob) => {
  try {
    const result = read(job)
    parentPort?.postMessage({ result }, ownedArrays(result.parts))
  } catch (error) {
    parentPort?.postMessage({ error: packError(error) })
  }
})

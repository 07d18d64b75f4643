import { cleanFilename } from './attachment-name.ts'
import { parseParameterValue, textParameter } from './media-type.ts'
import { firstValue } from './raw-header.ts'
import type { RawPart } from './raw-structure.ts'

/** What is told of an attachment without decoding it. */
export interface RawAttachment {
  filename: string
  contentType: string
  contentId: string | null
  /** Decoded, bytes. */
  size: number
}

const COUNT_MAX = 100
const ID_CHARS_MAX = 255
const BODY_TYPES = new Set(['text/plain', 'text/html'])

/** The parts that are not the text of a message, at most a hundred. */
export function describeAttachments(bytes: Buffer, parts: readonly RawPart[]): RawAttachment[] {
  const attachments: RawAttachment[] = []
  for (const part of parts) {
    const disposition = parseParameterValue(firstValue(bytes, part.fields, 'content-disposition') ?? '')
    const name = textParameter(disposition, 'filename') ?? textParameter(part.type, 'name')
    const isBody = BODY_TYPES.has(part.type.value) && disposition.value !== 'attachment' && name === null
    if (isBody || part.type.value === '') continue
    if (attachments.length === COUNT_MAX) break
    const id = firstValue(bytes, part.fields, 'content-id')?.replace(/^<|>$/g, '') ?? ''
    attachments.push({
      filename: cleanFilename(name ?? '') ?? 'attachment',
      contentType: part.type.value.slice(0, ID_CHARS_MAX),
      contentId: id === '' || id.length > ID_CHARS_MAX ? null : id,
      size: decodedSize(bytes.subarray(part.bodyStart, part.bodyEnd), part.encoding),
    })
  }
  return attachments
}

const CR = 0x0d
const SPACE = 0x20
const EQUALS = 0x3d

/** Bytes after decoding, counted without decoding. */
function decodedSize(body: Buffer, encoding: string): number {
  let count = 0
  if (encoding === 'base64') {
    for (const octet of body) if (octet > SPACE && octet !== EQUALS) count++
    return Math.floor((count * 3) / 4)
  }
  if (encoding !== 'quoted-printable') return body.length
  for (let at = 0; at < body.length; at++) {
    // `=` and a line end stand for nothing, `=` and two digits for one octet.
    if (body[at] === EQUALS) {
      if (body[at + 1] !== CR) count++
      at += 2
    } else count++
  }
  return count
}

import { lookup } from 'mime-types'
import { decodeContent } from '../../http/json/attachment-content.ts'
import { type FieldErrors, throwInvalid } from '../../lib/api-error.ts'
import { checkContentType, cleanFilename, DEFAULT_TYPE } from '../../mime/attachment-name.ts'
import type { Attachment } from '../../mime/build.ts'
import type { AttachmentRequest } from '../request/draft-email.ts'
import type { FetchFile } from './fetch-file.ts'

const CONTENT_ID = /^[\x21-\x3b\x3d\x3f-\x7e]{1,128}$/
/** The limit on all attachments of one email together, before encoding. The limit of the message bounds the rest. */
const BYTES_MAX = 37_500_000
const BASE64_HINT =
  "Encode the bytes of the file, as `base64 FILE` and Node.js's `readFileSync(file).toString('base64')` do."

/**
 * Decodes or fetches the attachments of one email, in order. Fetching happens at acceptance, so that the email
 * contains the files as they were then. Throws one validation ApiError that names every invalid attachment.
 */
export async function readAttachments(
  requests: readonly AttachmentRequest[],
  fetchFile: FetchFile,
): Promise<Attachment[]> {
  if (requests.length === 0) return []
  const errors: FieldErrors = {}
  const attachments: Attachment[] = []
  let bytesLeft = BYTES_MAX
  for (const [index, request] of requests.entries()) {
    const path = `attachments.${index}`
    const file = await readContent(request, path, bytesLeft, fetchFile)
    if ('problem' in file) {
      errors[file.field] = [file.problem]
      continue
    }
    bytesLeft -= file.content.length
    const filename = cleanFilename((request.filename || file.filename) ?? 'attachment') ?? 'attachment'
    // An unusable type from the server is ignored, because the caller cannot change it.
    const byServer = file.contentType === undefined ? null : checkContentType(file.contentType)
    const contentType = checkContentType(
      (request.content_type || byServer) ?? (lookup(filename) || DEFAULT_TYPE),
    )
    if (contentType === null) {
      errors[`${path}.content_type`] = [
        `The ${path}.content_type field must be a media type such as image/png or text/calendar; method=REQUEST.`,
      ]
      continue
    }
    const contentId = readContentId(request.content_id)
    if (contentId === undefined) {
      errors[`${path}.content_id`] = [
        `The ${path}.content_id field must be 1 to 128 printable ASCII characters without spaces or angle brackets.`,
      ]
      continue
    }
    if (contentId !== null && attachments.some((other) => other.contentId === contentId)) {
      errors[`${path}.content_id`] = [`The ${path}.content_id field is that of another attachment.`]
      continue
    }
    attachments.push({ filename, contentType, contentId, content: file.content })
  }
  const needsBase64 = requests.some(({ content }, index) => {
    return typeof content === 'string' && `attachments.${index}.content` in errors
  })
  throwInvalid(errors, needsBase64 ? BASE64_HINT : undefined)
  return attachments
}

type Content =
  | { content: Buffer; filename?: string; contentType?: string }
  | { field: string; problem: string }

async function readContent(
  request: AttachmentRequest,
  path: string,
  bytesMax: number,
  fetchFile: FetchFile,
): Promise<Content> {
  if (request.path !== undefined) {
    const fetched = await fetchFile(request.path, bytesMax)
    if ('problem' in fetched)
      return { field: `${path}.path`, problem: `The ${path}.path field ${fetched.problem}.` }
    return fetched
  }
  const content = decode(request.content)
  if (content === null) {
    const need = typeof request.content === 'string' ? 'be valid base64' : 'hold whole numbers from 0 to 255'
    return { field: `${path}.content`, problem: `The ${path}.content field must ${need}.` }
  }
  if (content.length > bytesMax) {
    return {
      field: `${path}.content`,
      problem: 'The attachments together must not be greater than 37500000 bytes.',
    }
  }
  return { content }
}

/** Decodes base64, or a Buffer in the JSON form of Node.js. Returns null if the content is invalid. */
function decode(content: AttachmentRequest['content']): Buffer | null {
  if (content === undefined) return null
  if (typeof content !== 'string') {
    return decodeBuffer(content.data)
  }
  return decodeContent(content)
}

/** Octets were already decoded with the body. An array may contain anything. */
function decodeBuffer(data: Uint8Array | readonly unknown[]): Buffer | null {
  if (data instanceof Uint8Array) return Buffer.from(data.buffer, data.byteOffset, data.byteLength)
  return data.every(isOctet) ? Buffer.from(data) : null
}

/** Removes angle brackets. Returns null if no id was given, undefined if the id is invalid. */
function readContentId(value: string | undefined): string | null | undefined {
  if (value === undefined || value === '') return null
  const bare = value.replace(/^<(.*)>$/, '$1')
  return CONTENT_ID.test(bare) ? bare : undefined
}

function isOctet(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 255
}

import { createHash, type Hash, type KeyObject, sign } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { ReplaceableField } from '../config/relay.ts'

export interface DkimKey {
  /** A-label: d= (RFC 6376 section 3.5). */
  domain: string
  selector: string
  algorithm: 'rsa-sha256' | 'ed25519-sha256'
  /** Parsed once and cached: parsing the PEM each time takes more than half the time of a signature. */
  privateKey: KeyObject
}

/**
 * Fields to sign if present; RFC 8058 section 4 requires the List-Unsubscribe pair, RFC 6376 section 5.4.1 recommends
 * the rest.
 */
const SIGNED = new Set([
  'from',
  'sender',
  'reply-to',
  'to',
  'cc',
  'subject',
  'date',
  'message-id',
  'in-reply-to',
  'references',
  'mime-version',
  'content-type',
  'content-transfer-encoding',
  'list-id',
  'list-unsubscribe',
  'list-unsubscribe-post',
])
const LINE_CHARS = 76
const BASE64_CHARS = 72
/**
 * Bodies are canonicalized piece by piece, so that one of 37 MB needs no second copy, and one piece in each turn of the
 * event loop: if all of it is white space, it takes ten milliseconds.
 */
const PIECE_OCTETS = 131_072
const SPACE = 0x20
const TAB = 0x09
const CR = 0x0d
const LF = 0x0a

interface Field {
  name: string
  /** RFC 6376 section 3.4.2, relaxed, without CRLF. */
  relaxed: string
}

/**
 * Returns the DKIM-Signature fields for a finished message, one for each key, each ended by CRLF, to prepend to it.
 * Relaxed/relaxed (RFC 6376 section 3.4), Ed25519 by RFC 8463. Deterministic: t= is `at`. Signing runs on libuv's
 * threads. Rejects only when a key does not fit its algorithm.
 * @param unsigned fields that are left out, because a relay replaces them
 */
export async function signMessage(
  message: Buffer,
  keys: readonly DkimKey[],
  at: Date,
  unsigned: readonly ReplaceableField[] = [],
): Promise<Buffer> {
  const bodyHash = await hashBody(bodyOf(message))
  // Latin-1 preserves every octet, including those of a UTF-8 header.
  const header = message.toString('latin1', 0, headerEnd(message))
  const fields = relaxFields(header).filter(
    ({ name }) => SIGNED.has(name) && !unsigned.some((one) => one === name),
  )
  const signed = selectBottomUp(fields)
    .map(({ relaxed }) => `${relaxed}\r\n`)
    .join('')
  const names = fields.map(({ name }) => name)
  // From is listed once more than it occurs (RFC 6376 section 5.4.2): a second From added in transit breaks the
  // signature.
  const tags = commonTags([...names, 'from'], bodyHash)
  const signatures = await Promise.all(keys.map((key) => signFields(signed, tags, key, at)))
  return Buffer.from(signatures.join(''), 'latin1')
}

function headerEnd(message: Buffer): number {
  const gap = message.indexOf('\r\n\r\n', 0, 'latin1')
  return gap < 0 ? message.length : gap
}

function bodyOf(message: Buffer): Buffer {
  return message.subarray(headerEnd(message) + 4)
}

async function signFields(signed: string, tags: string, key: DkimKey, at: Date): Promise<string> {
  const unsigned = `${ownTags(key, at)}${tags}`
  const own = relaxValue(unfold(unsigned.slice(NAME.length + 1)))
  const value = await signDigest(Buffer.from(`${signed}${NAME.toLowerCase()}:${own}`, 'latin1'), key)
  return `${unsigned}${foldBase64(value.toString('base64'))}\r\n`
}

/** If a field name is repeated, signs its last field first (RFC 6376 section 5.4.2). */
function selectBottomUp(fields: readonly Field[]): Field[] {
  const stacks = new Map<string, Field[]>()
  for (const field of fields) {
    const stack = stacks.get(field.name)
    if (stack === undefined) stacks.set(field.name, [field])
    else stack.push(field)
  }
  return fields.map(({ name }) => stacks.get(name)?.pop() as Field)
}

const NAME = 'DKIM-Signature'

/** Returns the beginning of the field, with the tags that differ between keys. */
function ownTags({ algorithm, domain, selector }: DkimKey, at: Date): string {
  const time = Math.floor(at.getTime() / 1000)
  return `${NAME}: v=1; a=${algorithm}; c=relaxed/relaxed;\r\n d=${domain};\r\n s=${selector}; t=${time};\r\n`
}

/**
 * Returns the tags that all keys share, up to an empty `b=`. Relaxed canonicalization reduces each fold to one space.
 */
function commonTags(names: readonly string[], bodyHash: string): string {
  let folded = ''
  let line = ' h='
  for (const [no, name] of names.entries()) {
    const token = no < names.length - 1 ? `${name}:` : `${name};`
    if (line.length + token.length > LINE_CHARS) {
      folded += `${line}\r\n`
      line = '  '
    }
    line += token
  }
  return `${folded}${line}\r\n bh=${bodyHash};\r\n b=`
}

/** Folds base64 into lines of 72 characters. Verifiers ignore white space inside b= (RFC 6376 section 3.5). */
function foldBase64(base64: string): string {
  let folded = base64.slice(0, BASE64_CHARS)
  for (let at = BASE64_CHARS; at < base64.length; at += BASE64_CHARS) {
    folded += `\r\n ${base64.slice(at, at + BASE64_CHARS)}`
  }
  return folded
}

/** RSA signs the octets with SHA-256; Ed25519 signs their SHA-256 (RFC 8463 section 3). */
function signDigest(input: Buffer, key: DkimKey): Promise<Buffer> {
  const [digest, data] =
    key.algorithm === 'rsa-sha256' ? ['sha256', input] : [null, createHash('sha256').update(input).digest()]
  return new Promise((resolve, reject) => {
    sign(digest as string | null, data as Buffer, key.privateKey, (error, signature) => {
      if (error === null) resolve(signature)
      else reject(error)
    })
  })
}

/** RFC 6376 section 3.4.2: lower-case names, no space around the colon. */
function relaxFields(header: string): Field[] {
  const fields: Field[] = []
  for (const raw of unfold(header).split('\r\n')) {
    const colon = raw.indexOf(':')
    if (colon < 1) continue
    const name = raw.slice(0, colon).trimEnd().toLowerCase()
    fields.push({ name, relaxed: `${name}:${relaxValue(raw.slice(colon + 1))}` })
  }
  return fields
}

function unfold(header: string): string {
  return header.includes('\r\n ') || header.includes('\r\n\t') ? header.replace(/\r\n(?=[ \t])/g, '') : header
}

/** Reduces each run of white space in an unfolded value to one space, and trims both ends. */
function relaxValue(value: string): string {
  return value.replace(/[ \t]{2,}|\t/g, ' ').replace(/^ | $/g, '')
}

/** Returns the bh= of a body, relaxed (RFC 6376 section 3.4.4). */
async function hashBody(body: Buffer): Promise<string> {
  const hash = createHash('sha256')
  const end = contentEnd(body)
  for (let start = 0; start < end; ) {
    const stop = pieceEnd(body, start, end)
    hashRelaxed(hash, body.subarray(start, stop))
    start = stop
    if (start < end) await setImmediate()
  }
  if (end > 0) hash.update('\r\n')
  return hash.digest('base64')
}

/**
 * Returns the end of the last non-blank line, because relaxed canonicalization ignores blank lines at the end of a
 * body.
 */
function contentEnd(body: Buffer): number {
  let end = body.length
  for (;;) {
    let at = end
    while (at > 0 && (body[at - 1] === SPACE || body[at - 1] === TAB)) at--
    if (at < 2 || body[at - 1] !== LF || body[at - 2] !== CR) return at
    end = at - 2
  }
}

/** Returns the end of the next piece. A piece ends at a line end, so that no run of white space is split. */
function pieceEnd(body: Buffer, start: number, end: number): number {
  if (end - start <= PIECE_OCTETS) return end
  const lineEnd = body.indexOf('\r\n', start + PIECE_OCTETS, 'latin1')
  return lineEnd < 0 || lineEnd + 2 >= end ? end : lineEnd + 2
}

// The first octet of white space that relaxing a body changes: in a run, at the end of a line, or a tab.
const CHANGED = /[ \t](?=[ \t]|\r\n)|\t/g
const scratch = Buffer.allocUnsafeSlow(2 * PIECE_OCTETS)

/**
 * Hashes one piece. A regular expression finds white space in less time than a loop over all octets, and what lies between
 * is copied to a scratch buffer: a replacement in a string would leave three copies of the body to the garbage collector.
 * Base64, the largest part of large bodies, has no white space and is hashed in place.
 */
function hashRelaxed(hash: Hash, piece: Buffer): void {
  if (!piece.includes(SPACE) && !piece.includes(TAB)) {
    hash.update(piece)
    return
  }
  const text = piece.toString('latin1')
  const relaxed = piece.length <= scratch.length ? scratch : Buffer.allocUnsafeSlow(piece.length)
  let from = 0
  let to = 0
  CHANGED.lastIndex = 0
  while (CHANGED.test(text)) {
    const start = CHANGED.lastIndex - 1
    let end = start + 1
    while (piece[end] === SPACE || piece[end] === TAB) end++
    to += piece.copy(relaxed, to, from, start)
    if (piece[end] !== CR || piece[end + 1] !== LF) relaxed[to++] = SPACE
    from = end
    CHANGED.lastIndex = end
  }
  to += piece.copy(relaxed, to, from)
  hash.update(relaxed.subarray(0, to))
}

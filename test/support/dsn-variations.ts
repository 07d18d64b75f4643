import type { Written } from './dsn-formats.ts'

/** The encoding and forwarding of a DSN. */
export interface Passage {
  encoding: '7bit' | 'quoted-printable' | 'base64'
  /** Lines are wrapped at this many columns; 0 leaves them unchanged. */
  wrap: number
  isQuoted: boolean
  /** Forwarded as an attachment. */
  isForwarded: boolean
  /** The header lacks the boundary. */
  isBroken: boolean
  lineEnd: '\n' | '\r\n'
}

const BOUNDARY = '=_4f1a2'

/** Writes the bytes of a DSN. */
export function writeDsn(
  { from, subject, type = 'text/plain', text, report }: Written,
  { below, part }: { below: string; part?: string },
  passage: Passage,
): Buffer {
  const isJson = text.trimStart().startsWith('{') || text.trimStart().startsWith('[')
  const isPlain = !isJson && type !== 'text/html'
  const whole = wrap(isPlain ? text + below : text, passage.wrap)
  const body = encode(passage.isQuoted && isPlain ? quote(whole) : whole, passage)
  const own = `Content-Type: ${type}; charset=utf-8\nContent-Transfer-Encoding: ${passage.encoding}\n\n${body}\n`
  const parts = [
    own,
    ...(report === undefined ? [] : [`Content-Type: ${report[0]}\n\n${report[1]}`]),
    ...(part === undefined ? [] : [`Content-Type: message/rfc822\n\n${part}`]),
  ]
  const header = `Return-Path: <>\nFrom: ${from}\nTo: me@own.test\nSubject: ${subject}\nMIME-Version: 1.0\n`
  const message =
    parts.length === 1
      ? header + own
      : header + multipart(parts, passage.isBroken ? '' : `; boundary="${BOUNDARY}"`)
  return Buffer.from((passage.isForwarded ? forward(message) : message).replaceAll('\n', passage.lineEnd))
}

function multipart(parts: readonly string[], parameter: string): string {
  const pieces = parts.map((one) => `--${BOUNDARY}\n${one}\n`).join('')
  return `Content-Type: multipart/mixed${parameter}\n\n${pieces}--${BOUNDARY}--\n`
}

function forward(message: string): string {
  return `Return-Path: <>\nFrom: postmaster@gate.test\nTo: me@own.test\nSubject: Undeliverable mail\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=outer\n\n--outer\nContent-Type: text/plain\n\nA notification is attached.\n--outer\nContent-Type: message/rfc822\n\n${message}\n--outer--\n`
}

function quote(text: string): string {
  return text.replace(/^/gm, '> ')
}

/** Wraps lines between words as mail systems do. */
export function wrap(text: string, columns: number): string {
  if (columns === 0) return text
  return text
    .split('\n')
    .map((line) => line.replace(new RegExp(`(.{1,${columns}})(?: +|$)`, 'gu'), '$1\n').trimEnd())
    .join('\n')
}

function encode(text: string, { encoding }: Passage): string {
  if (encoding === 'base64') return Buffer.from(text).toString('base64').replace(/.{76}/g, '$&\n')
  if (encoding === '7bit') return text
  const escaped = text
    .split('\n')
    .map((line) =>
      Array.from(Buffer.from(line), (octet) =>
        octet < 32 || octet > 126 || octet === 61
          ? `=${octet.toString(16).toUpperCase().padStart(2, '0')}`
          : String.fromCharCode(octet),
      ).join(''),
    )
  return escaped.map((line) => line.replace(/(.{60,70}[^=]{3})(?=..)(?![0-9A-F]{0,2}$)/g, '$1=\n')).join('\n')
}

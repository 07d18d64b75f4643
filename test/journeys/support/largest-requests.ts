import { messageShapes } from './held-messages.ts'
import type { Answer, HeldServer } from './held-server.ts'
import { submit } from './held-smtp.ts'
import { fill, jsonWith, MARK_VALUE, MIB } from './pathological.ts'

/** A request of about the maximum size that its route accepts. */
export interface LargestRequest {
  name: string
  send(): Promise<Answer>
}

const MESSAGE_BYTES = 37_000_000
/** Size of a file that fits into the largest message as base64. */
const FILE_BYTES = 27_000_000
const RECIPIENTS_MAX = 150

/** Returns requests of the maximum size that the service accepts, one of each kind, all of one team. */
export function largestRequests(server: HeldServer): LargestRequest[] {
  const mail = server.ann.email({ to: 'bob@receiver.test' })
  const from = server.ann.email().from as string
  const post = (path: string, name: string, body: () => Buffer): LargestRequest => ({
    name: `post ${path}: ${name}`,
    send: () => server.request('POST', path, server.asKey, body()),
  })
  const messages = messageShapes(from, MESSAGE_BYTES)
  const shape = (name: string) => (messages[name] as () => Buffer)()
  const raw = (name: string) => post('/emails/mime', name, () => mimeBody(shape(name)))
  const text = (field: string, unit: string) =>
    post('/emails', `${field} of ${JSON.stringify(unit)}`, () =>
      jsonWith({ ...mail, [field]: MARK_VALUE }, unit, 35 * MIB),
    )
  const submission = (name: string): LargestRequest => ({
    name: `submission: ${name}`,
    send: () => submit(server, shape(name)),
  })
  return [
    raw('empty lines'),
    raw('lines of one letter'),
    raw('base64 in lines of four'),
    raw('lines of two octets of UTF-8'),
    raw('html of links'),
    raw('attachments'),
    text('text', '\n'),
    text('text', '\n\n'),
    text('text', 'é'),
    text('html', '<b>a</b> '),
    post('/emails', 'a file of 27 MB in base64', () => fileInBase64(mail)),
    post('/emails', 'a file of 27 MB as Node.js writes a Buffer', () => fileInNumbers(mail)),
    post('/emails/batch', '100 emails of 350 KB', () => batchOf(mail, { html: fill('<b>', 350_000) })),
    post('/emails/batch', '100 emails to 150 recipients', () => batchOf(mail, { bcc: recipients() })),
    post('/emails/batch', 'emails with wrong fields', () => wrongEmails(mail)),
    submission('empty lines'),
    submission('base64 in lines of four'),
    submission('html of links'),
  ]
}

/** Returns a body for POST /emails/mime. */
export function mimeBody(message: Buffer): Buffer {
  const envelope = { envelope_from: 'orders@one.sender.test', envelope_to: 'bob@receiver.test' }
  return Buffer.from(JSON.stringify({ ...envelope, raw_message: message.toString() }))
}

export function fileInBase64(mail: object): Buffer {
  const content = Buffer.alloc(FILE_BYTES, 'sendwright').toString('base64')
  return Buffer.from(JSON.stringify({ ...mail, attachments: [{ filename: 'a.pdf', content }] }))
}

export function fileInNumbers(mail: object): Buffer {
  const head = JSON.stringify(mail).slice(0, -1)
  const numbers = ',7,77'.repeat(FILE_BYTES / 2).slice(1)
  return Buffer.from(
    `${head},"attachments":[{"filename":"a.pdf","content":{"type":"Buffer","data":[${numbers}]}}]}`,
  )
}

export function batchOf(mail: object, fields: object): Buffer {
  return Buffer.from(JSON.stringify(Array.from({ length: 100 }, () => ({ ...mail, ...fields }))))
}

export function recipients(): string[] {
  return Array.from({ length: RECIPIENTS_MAX - 1 }, (_, at) => `person${at}@receiver.test`)
}

/** Returns a body filled with invalid emails. */
export function wrongEmails(mail: object): Buffer {
  const wrong = JSON.stringify({ ...mail, to: 7, cc: {}, subject: [], html: 1, tags: 'a', unknown: true })
  return Buffer.from(`[${fill(`${wrong},`, 99 * MIB)}${wrong}]`)
}

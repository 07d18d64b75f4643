/**
 * The load generator, a separate process. Sends a fixed number of emails over keep-alive connections, with one
 * open request on each. Implements only as much of HTTP/1.1 (RFC 9112) as it needs, to leave the CPU time to
 * the server under test.
 */
import { connect, type Socket } from 'node:net'
import { composeMessage, makeDraft, NUMBER_PLACEHOLDER } from './message.ts'
import type { LoadForm, LoadOrder, LoadResult, LoadSender } from './send-load.ts'
import { makeTemplate } from './template.ts'

const DRAFTS_COUNT = 250

interface PreparedRequest {
  bytes: Buffer
  /** The positions of the email's number in `bytes`. */
  numberAt: number[]
}

function findNumbers(bytes: Buffer): number[] {
  const found: number[] = []
  for (let at = bytes.indexOf(NUMBER_PLACEHOLDER); at >= 0; at = bytes.indexOf(NUMBER_PLACEHOLDER, at + 1))
    found.push(at)
  return found
}

type MakeBody = (sender: LoadSender, to: string, index: number) => unknown

const BODIES: Record<LoadForm, MakeBody> = {
  fields: ({ from }, to, index) => ({ from, to: [to], ...makeDraft(index) }),
  template: ({ templateId }, to) => ({
    to: [to],
    template: { id: templateId, variables: { ...TEMPLATE.variables, NUMBER: NUMBER_PLACEHOLDER } },
  }),
  mime: async ({ from }, to, index) => ({
    envelope_from: from,
    envelope_to: to,
    raw_message: await composeMessage(makeDraft(index), from, to),
  }),
}
const TEMPLATE = makeTemplate()

async function prepareRequest(order: LoadOrder, index: number): Promise<PreparedRequest> {
  const sender = order.senders[index % order.senders.length]
  if (sender === undefined) throw new Error('the order names no sender')
  const form = order.form ?? 'fields'
  const to = `customer-${NUMBER_PLACEHOLDER}@${order.recipientDomain}`
  const body = Buffer.from(JSON.stringify(await BODIES[form](sender, to, index)))
  const head = [
    `POST ${form === 'mime' ? '/emails/mime' : '/emails'} HTTP/1.1`,
    `Host: 127.0.0.1:${order.port}`,
    `Authorization: Bearer ${sender.key}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ]
  const bytes = Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body])
  return { bytes, numberAt: findNumbers(bytes) }
}

/** Parses one response. Returns null if it is incomplete. */
function parseAnswer(text: string): { status: number; body: string } | null {
  const headEnd = text.indexOf('\r\n\r\n')
  if (headEnd < 0) return null
  const length = /\r\ncontent-length: *(\d+)/i.exec(text.slice(0, headEnd + 2))?.[1]
  if (length === undefined) throw new Error(`an answer without Content-Length: ${text.slice(0, headEnd)}`)
  const body = text.slice(headEnd + 4)
  return body.length < Number(length) ? null : { status: Number(text.slice(9, 12)), body }
}

/** Writes the prepared request for email `number`, with the number inserted. */
function writeRequest(socket: Socket, requests: readonly PreparedRequest[], number: number): void {
  const prepared = requests[number % requests.length] as PreparedRequest
  const bytes = Buffer.from(prepared.bytes)
  const digits = String(number).padStart(NUMBER_PLACEHOLDER.length, '0')
  for (const at of prepared.numberAt) bytes.write(digits, at, 'latin1')
  socket.write(bytes)
}

/**
 * Opens a keep-alive connection. Calls `onAnswer` with each complete response, and `onEnd` with the error that ends
 * it.
 */
function openConnection(
  port: number,
  onAnswer: (socket: Socket, answer: { status: number; body: string }) => void,
  onEnd: (error: Error) => void,
): Socket {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  let received = ''
  socket.setEncoding('latin1')
  socket.on('data', (text: string) => {
    received += text
    const answer = parseAnswer(received)
    if (answer === null) return
    received = ''
    onAnswer(socket, answer)
  })
  socket.once('error', onEnd)
  socket.once('end', () => onEnd(new Error('the server closed a connection')))
  return socket
}

async function runLoad(order: LoadOrder): Promise<LoadResult> {
  const indexes = Array.from({ length: DRAFTS_COUNT }, (_, index) => index)
  const requests = await Promise.all(indexes.map((index) => prepareRequest(order, index)))
  const result: LoadResult = { seconds: 0, accepted: 0, refused: 0, firstError: null }
  const { promise, resolve, reject } = Promise.withResolvers<LoadResult>()
  const late = new Error(`not done after ${order.timeLimitMs / 1000} s`)
  const timer = setTimeout(() => reject(late), order.timeLimitMs)
  let next = 0
  let startedAt = 0

  const sendNext = (socket: Socket) => {
    if (next < order.count) writeRequest(socket, requests, next++)
  }
  const finish = () => {
    result.seconds = (performance.now() - startedAt) / 1000
    clearTimeout(timer)
    for (const socket of sockets) socket.destroy()
    resolve(result)
  }
  const settle = (socket: Socket, { status, body }: { status: number; body: string }) => {
    if (status >= 200 && status < 300) result.accepted++
    else {
      result.refused++
      result.firstError ??= `${status} ${body}`
    }
    if (result.accepted + result.refused === order.count) finish()
    else sendNext(socket)
  }
  const sockets = Array.from({ length: order.connections }, () => openConnection(order.port, settle, reject))
  Promise.all(sockets.map((socket) => new Promise<void>((done) => socket.once('connect', done)))).then(() => {
    startedAt = performance.now()
    for (const socket of sockets) sendNext(socket)
  }, reject)
  return promise
}

process.stdout.write(`${JSON.stringify(await runLoad(JSON.parse(process.argv[2] ?? '{}') as LoadOrder))}\n`)
process.exit(0)

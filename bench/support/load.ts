/**
 * The load generator, a process of its own: a fixed number of emails over keep-alive connections, one request at a
 * time on each. It speaks just enough HTTP/1.1 (RFC 9112) to leave the machine to the server under test.
 */
import { connect, type Socket } from 'node:net'
import { makeDraft, NUMBER_PLACEHOLDER } from './message.ts'
import type { LoadOrder, LoadResult } from './send-load.ts'

const DRAFTS_COUNT = 250

interface PreparedRequest {
  bytes: Buffer
  /** Where the email's number is written. */
  numberAt: number[]
}

function findNumbers(bytes: Buffer): number[] {
  const found: number[] = []
  for (let at = bytes.indexOf(NUMBER_PLACEHOLDER); at >= 0; at = bytes.indexOf(NUMBER_PLACEHOLDER, at + 1))
    found.push(at)
  return found
}

function prepareRequest(order: LoadOrder, index: number): PreparedRequest {
  const sender = order.senders[index % order.senders.length]
  if (sender === undefined) throw new Error('the order names no sender')
  const to = [`customer-${NUMBER_PLACEHOLDER}@${order.recipientDomain}`]
  const body = Buffer.from(JSON.stringify({ from: sender.from, to, ...makeDraft(index) }))
  const head = [
    'POST /emails HTTP/1.1',
    `Host: 127.0.0.1:${order.port}`,
    `Authorization: Bearer ${sender.key}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ]
  const bytes = Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body])
  return { bytes, numberAt: findNumbers(bytes) }
}

/** Parses one answer. Null: not all of it is here yet. */
function parseAnswer(text: string): { status: number; body: string } | null {
  const headEnd = text.indexOf('\r\n\r\n')
  if (headEnd < 0) return null
  const length = /\r\ncontent-length: *(\d+)/i.exec(text.slice(0, headEnd + 2))?.[1]
  if (length === undefined) throw new Error(`an answer without Content-Length: ${text.slice(0, headEnd)}`)
  const body = text.slice(headEnd + 4)
  return body.length < Number(length) ? null : { status: Number(text.slice(9, 12)), body }
}

function runLoad(order: LoadOrder): Promise<LoadResult> {
  const requests = Array.from({ length: DRAFTS_COUNT }, (_, index) => prepareRequest(order, index))
  const result: LoadResult = { seconds: 0, accepted: 0, refused: 0, firstRefusal: null }
  const sockets: Socket[] = []
  let next = 0
  let startedAt = 0

  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`not done after ${order.timeLimitMs / 1000} s`)),
      order.timeLimitMs,
    )
    const finish = () => {
      result.seconds = (performance.now() - startedAt) / 1000
      clearTimeout(timer)
      for (const socket of sockets) socket.destroy()
      resolve(result)
    }
    const sendNext = (socket: Socket) => {
      if (next >= order.count) return
      const number = next++
      const prepared = requests[number % requests.length] as PreparedRequest
      const bytes = Buffer.from(prepared.bytes)
      const digits = String(number).padStart(NUMBER_PLACEHOLDER.length, '0')
      for (const at of prepared.numberAt) bytes.write(digits, at, 'latin1')
      socket.write(bytes)
    }
    const settle = (answer: { status: number; body: string }) => {
      if (answer.status >= 200 && answer.status < 300) result.accepted++
      else {
        result.refused++
        result.firstRefusal ??= `${answer.status} ${answer.body}`
      }
      if (result.accepted + result.refused === order.count) finish()
    }
    const open = () => {
      const socket = connect({ port: order.port, host: '127.0.0.1', noDelay: true })
      let received = ''
      socket.setEncoding('latin1')
      socket.on('data', (text: string) => {
        received += text
        const answer = parseAnswer(received)
        if (answer === null) return
        received = ''
        settle(answer)
        sendNext(socket)
      })
      socket.once('error', reject)
      socket.once('end', () => reject(new Error('the server closed a connection')))
      return socket
    }
    const openAll = Array.from({ length: order.connections }, open)
    sockets.push(...openAll)
    Promise.all(openAll.map((socket) => new Promise<void>((done) => socket.once('connect', done)))).then(
      () => {
        startedAt = performance.now()
        for (const socket of openAll) sendNext(socket)
      },
      reject,
    )
  })
}

process.stdout.write(`${JSON.stringify(await runLoad(JSON.parse(process.argv[2] ?? '{}') as LoadOrder))}\n`)
process.exit(0)

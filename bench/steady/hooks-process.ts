/**
 * The endpoints of startHooks. They implement only as much of HTTP/1.1 (RFC 9112) as webhooks need, to use little CPU
 * time.
 */
import { createServer, type Socket } from 'node:net'
import { type FromHooks, HANGS, type HookArrival } from './hooks.ts'
import { nowMs } from './mail-sites.ts'

const FLUSH_MS = 100
const TAKEN = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'
const HEAD_END = '\r\n\r\n'

let arrivals: HookArrival[] = []

/** Handles the first request in `text`. Returns its length, or 0 if it is incomplete. */
function handleOne(socket: Socket, text: string): number {
  const headEnd = text.indexOf(HEAD_END)
  if (headEnd < 0) return 0
  const head = text.slice(0, headEnd + 2)
  const length = headEnd + HEAD_END.length + Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0)
  if (text.length < length) return 0
  const path = head.slice(5, head.indexOf(' ', 5))
  const id = /\r\nwebhook-id: *([^\r]+)/i.exec(head)?.[1] ?? ''
  if (path.startsWith(HANGS)) return length
  arrivals.push({ path, id, atMs: nowMs() })
  socket.write(TAKEN)
  return length
}

const server = createServer((socket) => {
  let received = ''
  socket.setNoDelay(true).setEncoding('latin1')
  socket.on('error', () => socket.destroy())
  socket.on('data', (text: string) => {
    received += text
    for (let length = handleOne(socket, received); length > 0; length = handleOne(socket, received)) {
      received = received.slice(length)
    }
  })
})
process.on('disconnect', () => process.exit(0))
process.on('SIGTERM', () => process.exit(0))
setInterval(() => {
  if (arrivals.length === 0) return
  process.send?.({ kind: 'arrivals', arrivals } satisfies FromHooks)
  arrivals = []
}, FLUSH_MS)
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as { port: number }
  process.send?.({ kind: 'listening', port } satisfies FromHooks)
})

import { readFileSync } from 'node:fs'
import { connect } from 'node:net'

/**
 * An attacker, a separate process with low priority: opens connections, sends bytes on each at once, and reads the
 * responses unless it is told not to. Ends when all connections are closed, or after its time. Its standard input is the
 * order as JSON.
 */
export interface Attack {
  port: number
  connections: number
  /** What the connections send, in turn, in base64. */
  bytes: string[]
  reads: boolean
  limitMs: number
}

const { port, connections, bytes, reads, limitMs } = JSON.parse(readFileSync(0, 'utf8')) as Attack
setTimeout(() => process.exit(0), limitMs)
for (let count = 0; count < connections; count++) {
  const socket = connect({ port, host: '127.0.0.1' })
  socket.on('error', () => {})
  socket.end(Buffer.from(bytes[count % bytes.length] ?? '', 'base64'))
  if (reads) socket.resume()
  else socket.pause()
}

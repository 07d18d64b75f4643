import { type AddressInfo, createServer, type Socket } from 'node:net'
import type { MxMessage, MxOptions, MxRow } from './mx-script.ts'
import { MxSession, type MxWorld } from './mx-session.ts'

export interface TestMx {
  host: string
  port: number
  /** Accepted messages, in order. */
  messages: MxMessage[]
  /** All messages that reached their final dot, accepted or not. */
  contents: MxMessage[]
  /** All command lines of all connections. */
  commands: { connection: number; line: string }[]
  connectionCount: number
  /** The source address of each connection, in order. */
  clients: string[]
  /** The time of each connection, by `performance.now()`. */
  connectedMs: number[]
  openCount(): number
  /** Inserts rows before the others. */
  script(...rows: MxRow[]): void
  recipients: Record<string, string>
  /** Resolves to the messages when there are `count`; rejects after `timeoutMs`. */
  waitFor(count: number, timeoutMs?: number): Promise<MxMessage[]>
  close(): Promise<void>
}

/** Starts a real SMTP server on 127.0.0.1 that follows its script and keeps received messages. */
export async function startMx(options: MxOptions = {}): Promise<TestMx> {
  const sockets = new Set<Socket>()
  const waiting = new Set<() => void>()
  const withTurns = (row: MxRow) => ({ ...row, left: row.times ?? Number.POSITIVE_INFINITY })
  const mx: TestMx & MxWorld = {
    options,
    rows: (options.script ?? []).map(withTurns),
    host: options.address ?? '127.0.0.1',
    port: 0,
    messages: [],
    contents: [],
    commands: [],
    connectionCount: 0,
    clients: [],
    connectedMs: [],
    recipients: { ...options.recipients },
    openCount: () => sockets.size,
    script: (...rows) => void mx.rows.unshift(...rows.map(withTurns)),
    wake: () => {
      for (const check of waiting) check()
    },
    waitFor: (count, timeoutMs = 60_000) =>
      new Promise((resolve, reject) => {
        const check = () => {
          if (mx.messages.length < count) return
          waiting.delete(check)
          clearTimeout(timer)
          resolve(mx.messages)
        }
        const timer = setTimeout(() => {
          waiting.delete(check)
          reject(new Error(`${mx.messages.length} of ${count} messages came within ${timeoutMs} ms`))
        }, timeoutMs)
        waiting.add(check)
        check()
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.setNoDelay(true)
    mx.clients.push(socket.remoteAddress ?? '')
    mx.connectedMs.push(performance.now())
    new MxSession(mx, socket, ++mx.connectionCount)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port ?? 0, mx.host, resolve)
  })
  mx.port = (server.address() as AddressInfo).port
  return mx
}

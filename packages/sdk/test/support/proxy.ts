import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { listenHere } from '../../../../test/support/listen-here.ts'

/** One request that passed the proxy. */
export interface Passed {
  method: string
  path: string
  headers: IncomingMessage['headers']
  body: string
  /** The status of the server's response, 0 before it has begun. */
  status: number
  contentType: string | null
  /** The part of the response body that was passed to the client. */
  text: string
}

/** What the proxy does with a request: nothing special, drop the server's response, or respond itself. */
export type Fault =
  | 'pass'
  | 'drop'
  | { status: number; headers?: Record<string, string>; body?: string }
  | 'hang'

export interface FaultyProxy {
  url: string
  passed: Passed[]
  /** The faults of the next requests, in order. After them, requests pass. */
  next(...faults: Fault[]): void
  /** Cuts all open connections. */
  cut(): void
  close(): Promise<void>
}

/** Starts a proxy in front of a server, which records what passes, and loses responses on request. */
export async function startFaultyProxy(upstream: string): Promise<FaultyProxy> {
  const passed: Passed[] = []
  const faults: Fault[] = []
  const sockets = new Set<Socket>()
  const server = createServer(async (incoming, response) => {
    const fault = faults.shift() ?? 'pass'
    const entry: Passed = {
      method: incoming.method ?? '',
      path: incoming.url ?? '',
      headers: incoming.headers,
      body: '',
      status: 0,
      contentType: null,
      text: '',
    }
    passed.push(entry)
    const body = await buffer(incoming)
    entry.body = body.toString()
    if (fault === 'hang') return
    if (typeof fault === 'object') return void response.writeHead(fault.status, fault.headers).end(fault.body)
    forward(upstream, incoming, body, (answer) => {
      entry.status = answer.statusCode ?? 0
      entry.contentType = answer.headers['content-type'] ?? null
      if (fault === 'pass') return pipe(answer, response, entry)
      // The server has answered, so it has committed.
      answer.resume().once('end', () => incoming.socket.destroy())
    })
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => sockets.delete(socket))
  })
  const { url, close } = await listenHere(server)
  return {
    url,
    passed,
    next: (...given) => void faults.push(...given),
    cut() {
      for (const socket of sockets) socket.destroy()
    },
    close,
  }
}

function forward(
  upstream: string,
  { method, url, headers }: IncomingMessage,
  body: Buffer,
  onAnswer: (answer: IncomingMessage) => void,
): void {
  const { hostname, port } = new URL(upstream)
  const outgoing = request({
    hostname,
    port,
    method,
    path: url,
    headers: { ...headers, connection: 'close' },
  })
  outgoing.on('response', onAnswer).on('error', () => {})
  outgoing.end(body)
}

function pipe(answer: IncomingMessage, response: ServerResponse, entry: Passed): void {
  const decoder = new TextDecoder()
  answer.on('data', (chunk: Buffer) => {
    entry.text += decoder.decode(chunk, { stream: true })
  })
  response.writeHead(answer.statusCode ?? 502, answer.headers)
  answer.pipe(response)
  response.once('close', () => answer.destroy())
}

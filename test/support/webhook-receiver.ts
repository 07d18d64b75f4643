import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { listenHere } from './listen-here.ts'

/** One request as received. */
export interface Received {
  path: string
  headers: IncomingHttpHeaders
  /** The body as text. */
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read requests freely; a wrong access fails the test
  json: any
  atMs: number
}

export interface WebhookReceiver {
  /** `http://127.0.0.1:<port>` */
  url: string
  port: number
  /** All requests, oldest first. */
  received: Received[]
  connectionsCount: number
  /** Returns the requests to this path. */
  at(path: string): Received[]
  /** Sets the response to requests to `path`; by default 200 with an empty body. */
  answer(path: string, answer: (response: ServerResponse, request: Received) => void): void
  close(): Promise<void>
}

/** Starts an endpoint for webhooks at 127.0.0.1, with Node's HTTP server, which keeps all requests. */
export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const received: Received[] = []
  const answers = new Map<string, (response: ServerResponse, request: Received) => void>()
  const server = createServer(async (request, response) => {
    const text = (await buffer(request)).toString()
    const path = request.url ?? ''
    const one: Received = { path, headers: request.headers, text, json: JSON.parse(text), atMs: Date.now() }
    received.push(one)
    const answer = answers.get(path)
    if (answer === undefined) response.end()
    else answer(response, one)
  })
  const receiver: WebhookReceiver = {
    ...(await listenHere(server)),
    received,
    connectionsCount: 0,
    at: (path) => received.filter((one) => one.path === path),
    answer: (path, answer) => void answers.set(path, answer),
  }
  server.on('connection', () => receiver.connectionsCount++)
  return receiver
}

import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { exchange } from '../support/client.ts'
import { listenHere } from '../support/listen-here.ts'

/** A request that passed, with its response. */
export interface Exchange {
  method: string
  path: string
  headers: Readonly<Record<string, unknown>>
  body: string
  status: number
  text: string
  contentType: string | null
}

export interface RecordingProxy {
  url: string
  /** The exchanges since the last call of `clear`. */
  exchanges: Exchange[]
  clear(): void
  close(): Promise<void>
}

/** Hop by hop, or those that the client sets itself. */
const OWN = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'accept-encoding'])

/** Starts a proxy that records what passes. */
export async function startRecordingProxy(upstream: string): Promise<RecordingProxy> {
  const exchanges: Exchange[] = []
  const server = createServer(async (incoming, response) => {
    const body = (await buffer(incoming)).toString()
    const { method = 'GET', url: path = '/' } = incoming
    const passed = Object.entries(incoming.headers).filter(([name]) => !OWN.has(name)) as [string, string][]
    const headers = Object.fromEntries(passed)
    const answer = await exchange(upstream + path, { method, headers, ...(body === '' ? {} : { body }) })
    const { status, text } = answer
    const contentType = answer.headers.get('content-type')
    exchanges.push({
      method,
      path,
      headers: incoming.headers,
      body,
      status,
      text,
      contentType,
    })
    response.writeHead(status, { 'content-type': contentType ?? 'text/plain', connection: 'close' })
    response.end(text)
  })
  const { url, close } = await listenHere(server)
  return { url, exchanges, clear: () => void exchanges.splice(0), close }
}

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { exchange } from '../support/client.ts'

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
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    exchanges,
    clear: () => void exchanges.splice(0),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

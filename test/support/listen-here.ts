import { once } from 'node:events'
import type { Server as HttpServer } from 'node:http'
import type { AddressInfo, Server } from 'node:net'

/** A server of a test that listens. */
export interface ListeningServer {
  port: number
  /** `http://127.0.0.1:<port>` */
  url: string
  close(): Promise<void>
}

/**
 * Lets a server of node:net, node:http or node:https listen on a free port of 127.0.0.1. `close` ends the connections of
 * an HTTP server, and waits for those of any other.
 */
export async function listenHere(
  server: Server & Partial<Pick<HttpServer, 'closeAllConnections'>>,
): Promise<ListeningServer> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections?.()
      server.close()
      await once(server, 'close')
    },
  }
}

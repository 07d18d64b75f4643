import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A proxy to the database that can be cut or can hang. */
export interface DatabaseProxy {
  /** The given database, through the proxy. */
  url: string
  /** Stops listening and cuts open connections. */
  stop(): void
  start(): Promise<void>
  /**
   * Keeps existing connections open and accepts new ones, but forwards nothing: `all`, or only the database's
   * responses from those to a COMMIT on, so that a commit takes effect but gets no response.
   */
  hang(what: 'all' | 'commits'): void
  /** Forwards the held data on connections that are still open. */
  release(): void
}

/** CommandComplete with the tag COMMIT (PostgreSQL's protocol, "Message Formats"). */
const COMMITTED = Buffer.from('C\0\0\0\x0bCOMMIT\0', 'latin1')

/**
 * Starts the proxy.
 * @param databaseUrl uses a socket in the file system, `?host=`
 */
export async function startDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const target = new URL(databaseUrl)
  const path = `${target.searchParams.get('host')}/.s.PGSQL.${target.port || '5432'}`
  const open = new Set<Socket>()
  let hanging: 'all' | 'commits' | null = null
  function join(from: Socket, to: Socket, name: 'client' | 'database'): void {
    open.add(from)
    from.on('data', (chunk: Buffer) => {
      const isHeld =
        hanging === 'all' || (hanging === 'commits' && name === 'database' && chunk.includes(COMMITTED))
      if (!isHeld) return void to.write(chunk)
      from.pause()
      from.unshift(chunk)
    })
    from.on('error', () => {})
    from.once('close', () => {
      open.delete(from)
      to.destroy()
    })
  }
  const server = createServer((client) => {
    const upstream = connect(path)
    join(client, upstream, 'client')
    join(upstream, client, 'database')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const url = new URL(databaseUrl)
  url.search = ''
  url.host = `127.0.0.1:${port}`
  return {
    url: url.href,
    stop() {
      server.close()
      for (const socket of open) socket.destroy()
    },
    async start() {
      server.listen(port, '127.0.0.1')
      await once(server, 'listening')
    },
    hang(what) {
      hanging = what
    },
    release() {
      hanging = null
      for (const socket of open) socket.resume()
    },
  }
}

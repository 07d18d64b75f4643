import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A proxy to the database that can be cut, can hang, and can lose the responses to commits. */
export interface DatabaseProxy {
  /** The given database, through the proxy. */
  url: string
  /** Stops listening and cuts open connections. */
  stop(): void
  start(): Promise<void>
  /**
   * Keeps existing connections open and accepts new ones, but holds what they carry: `all`, only what comes from the
   * `database`, or only the database's responses from those to a COMMIT on, so that a commit takes effect but gets no
   * response.
   */
  hang(what: 'all' | 'database' | 'commits'): void
  /** Calls `passes` for each response to a COMMIT from now on: false holds it, and what follows it. */
  filterCommits(passes: () => Promise<boolean>): void
  /** Forwards the held data on connections that are still open. Not while a response is being judged. */
  release(): void
}

/** CommandComplete with the tag COMMIT (PostgreSQL's protocol, "Message Formats"). */
const COMMITTED = Buffer.from('C\0\0\0\x0bCOMMIT\0', 'latin1')

/**
 * Starts the proxy.
 * @param databaseUrl uses a socket in the file system, `?host=`, or a port
 */
export async function startDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const target = new URL(databaseUrl)
  const folder = target.searchParams.get('host')
  const port = Number(target.port || 5432)
  const place = folder === null ? { host: target.hostname, port } : { path: `${folder}/.s.PGSQL.${port}` }
  const open = new Set<Socket>()
  let hanging: 'all' | 'database' | null = null
  let passes = async () => true
  function join(from: Socket, to: Socket, name: 'client' | 'database'): void {
    open.add(from)
    from.on('data', async (chunk: Buffer) => {
      // While a response is judged, what follows it waits.
      from.pause()
      const isRefused = name === 'database' && chunk.includes(COMMITTED) && !(await passes())
      if (isRefused || hanging === 'all' || hanging === name) return void from.unshift(chunk)
      to.write(chunk)
      from.resume()
    })
    from.on('error', () => {})
    from.once('close', () => {
      open.delete(from)
      to.destroy()
    })
  }
  const server = createServer((client) => {
    const upstream = connect(place)
    join(client, upstream, 'client')
    join(upstream, client, 'database')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port: own } = server.address() as AddressInfo
  const url = new URL(databaseUrl)
  url.searchParams.delete('host')
  url.host = `127.0.0.1:${own}`
  return {
    url: url.href,
    stop() {
      server.close()
      for (const socket of open) socket.destroy()
    },
    async start() {
      server.listen(own, '127.0.0.1')
      await once(server, 'listening')
    },
    hang(what) {
      if (what === 'commits') passes = async () => false
      else hanging = what
    },
    filterCommits(given) {
      passes = given
    },
    release() {
      hanging = null
      passes = async () => true
      for (const socket of open) socket.resume()
    },
  }
}

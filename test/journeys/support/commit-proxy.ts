import { connect, createServer, type Socket } from 'node:net'
import { listenHere } from '../../support/listen-here.ts'

/** A proxy in front of PostgreSQL that can hold back the response to a COMMIT. */
export interface CommitProxy {
  /** The database of `url`, through this proxy. */
  url: string
  /** Calls `passes` for each response to a COMMIT from now on: true forwards it, false withholds it forever. */
  filterCommits(passes: () => Promise<boolean>): void
  /** Forwards nothing from now on, on existing and new connections. */
  stall(): void
  close(): Promise<void>
}

/** CommandComplete with the tag COMMIT (PostgreSQL's protocol, "Message Formats"). */
const COMMITTED = Buffer.from('C\0\0\0\x0bCOMMIT\0', 'latin1')

/**
 * Starts the proxy.
 * @param url a server that listens in a socket directory, `?host=`
 */
export async function startCommitProxy(url: string): Promise<CommitProxy> {
  const socketDir = new URL(url).searchParams.get('host')
  const sockets = new Set<Socket>()
  let passes: () => Promise<boolean> = async () => true
  let isStalled = false
  const server = createServer((client) => {
    const upstream = connect(`${socketDir}/.s.PGSQL.5432`)
    let order = Promise.resolve()
    upstream.on('data', (chunk: Buffer) => {
      const isJudged = chunk.includes(COMMITTED)
      order = order.then(async () => {
        if (isJudged && !(await passes())) upstream.pause()
        else if (!isStalled) client.write(chunk)
      })
    })
    client.pipe(upstream)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        upstream.destroy()
      })
    }
  })
  const listening = await listenHere(server)
  const own = new URL(url)
  own.search = ''
  own.host = `127.0.0.1:${listening.port}`
  return {
    url: own.href,
    filterCommits: (judged) => {
      passes = judged
    },
    stall: () => {
      isStalled = true
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await listening.close()
    },
  }
}

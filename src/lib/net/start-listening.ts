import { once } from 'node:events'
import type { ListenOptions, Server } from 'node:net'
import type { Log } from '../log.ts'

/** Where a server logs its errors, and by which name. */
interface LoggedServer {
  name: string
  log: Log
}

/** Opens the port of a server, whose later errors are logged. Rejects as `server.listen` does. */
export async function startListening(
  server: Server,
  options: ListenOptions,
  logged: LoggedServer,
): Promise<void> {
  server.listen(options)
  await once(server, 'listening')
  logServerErrors(server, logged)
}

/** Logs the errors of a server that listens. Without a listener for them, an error would end the process. */
export function logServerErrors(server: Server, { name, log }: LoggedServer): void {
  server.on('error', (error) => log.warn({ err: error, listener: name }, 'a listener failed'))
}

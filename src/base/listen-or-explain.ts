import { once } from 'node:events'
import { createServer } from 'node:net'
import { CannotStart } from './cannot-start.ts'

/** Opens a port, or throws CannotStart with one sentence that names the setting to change. */
export async function listenOrExplain(
  listen: () => Promise<unknown>,
  port: number,
  setting: string,
): Promise<void> {
  try {
    await listen()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE') throw new CannotStart(`Port ${port} is in use; set ${setting} to another one.`)
    if (code === 'EACCES') {
      throw new CannotStart(`Port ${port} may not be opened by this user; set ${setting} to one above 1023.`)
    }
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new CannotStart('HOST is not an address of this machine.')
    throw error
  }
}

/** Throws CannotStart now when `listenOrExplain` would throw it in a moment; null and 0 stand for no certain port. */
export async function refuseBusyPort(host: string, port: number | null, setting: string): Promise<void> {
  if (port === null || port === 0) return
  const probe = createServer()
  const listening = async () => {
    probe.listen(port, host)
    await once(probe, 'listening')
  }
  await listenOrExplain(listening, port, setting)
  probe.close()
  await once(probe, 'close')
}

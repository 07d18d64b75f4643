import { once } from 'node:events'
import { createServer } from 'node:net'
import { CannotStart } from '../cannot-start.ts'
import type { Log } from '../log.ts'

/** Opens a port, or throws CannotStart with one sentence that names the setting to change. */
export async function listenOrExplain(
  listen: () => Promise<unknown>,
  port: number,
  setting: string,
  hostSetting = 'HOST',
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
      throw new CannotStart(`${hostSetting} is not an address of this machine.`)
    throw error
  }
}

/** The setting of the SMTP listeners' address, as messages name it. */
const SMTP_HOST = 'SENDWRIGHT_SMTP_HOST (or HOST)'

/**
 * Opens a port for SMTP. Throws CannotStart when a port that the operator configured is in use; a default port in use
 * is skipped with a warning, because the service is useful without it.
 * @returns whether it is open
 */
export async function listenIfFree(
  listen: () => Promise<unknown>,
  { port, isSet }: { port: number; isSet: boolean },
  setting: string,
  log: Log,
): Promise<boolean> {
  try {
    await listenOrExplain(listen, port, setting, SMTP_HOST)
    return true
  } catch (error) {
    if (isSet || !(error instanceof CannotStart)) throw error
    log.warn({ port, reason: error.message }, `${setting}: starting without this port`)
    return false
  }
}

/** Throws CannotStart now if `listenIfFree` would throw it later. */
export async function refuseBusySmtpPort(
  host: string,
  listen: { port: number; isSet: boolean } | null,
  setting: string,
): Promise<void> {
  if (listen?.isSet === true) await refuseBusyPort(host, listen.port, setting, SMTP_HOST)
}

/** Throws CannotStart now if `listenOrExplain` would throw it later; null (no port) and 0 (any) pass. */
export async function refuseBusyPort(
  host: string,
  port: number | null,
  setting: string,
  hostSetting = 'HOST',
): Promise<void> {
  if (port === null || port === 0) return
  const probe = createServer()
  const listening = async () => {
    probe.listen(port, host)
    await once(probe, 'listening')
  }
  await listenOrExplain(listening, port, setting, hostSetting)
  probe.close()
  await once(probe, 'close')
}

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

/** The setting behind the address of the SMTP listeners, as messages name it. */
const SMTP_HOST = 'SENDWRIGHT_SMTP_HOST (or HOST)'

/**
 * Opens a port for SMTP. One that the operator has set must be had: throws CannotStart. A default one that is busy is
 * given up with a warning, because the service is of use without it.
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

/** Throws CannotStart now when `listenIfFree` would throw it in a moment. */
export async function refuseBusySmtpPort(
  host: string,
  listen: { port: number; isSet: boolean } | null,
  setting: string,
): Promise<void> {
  if (listen?.isSet === true) await refuseBusyPort(host, listen.port, setting, SMTP_HOST)
}

/** Throws CannotStart now when `listenOrExplain` would throw it in a moment; null and 0 stand for no certain port. */
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

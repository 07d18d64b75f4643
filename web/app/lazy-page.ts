import { lazyRouteComponent } from '@tanstack/react-router'
import { isServerUp } from '../api/connection.ts'

/** The code of a page did not arrive because the server is away. */
export class PageCodeError extends Error {
  /** Loads the code again. The page then renders, or throws the new error. */
  readonly load: () => Promise<void>

  constructor(load: () => Promise<void>, cause: unknown) {
    super('The server cannot be reached. This page opens as soon as the server is back.', { cause })
    this.name = 'PageCodeError'
    this.load = load
  }
}

/**
 * A page whose code is loaded when it is first opened. The library reloads the window when that fails, which helps after
 * an upgrade and loses the dashboard while the server is away: then the page throws PageCodeError instead.
 */
export function lazyPage<T extends Record<string, unknown>, K extends keyof T>(
  load: () => Promise<T>,
  name: K,
) {
  const page = lazyRouteComponent<T, K>(
    () =>
      load().catch(async (cause: unknown) => {
        if (await isServerUp()) throw cause
        throw new PageCodeError(async () => page.preload?.(), cause)
      }),
    name,
  )
  return page
}

import { ensureServerBuilt } from '../../bin/built-server.mjs'

/** Vitest's global setup: bundles the server, which the processes of tests run. */
export async function setup(): Promise<void> {
  if ((await ensureServerBuilt()) !== 0) throw new Error('The server cannot be bundled.')
}

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ensureServerBuilt, SERVER } from './built-server.mjs'
import { isPackage, root } from './ensure-installed.mjs'
import { NODE_ENVIRONMENT, NODE_FLAGS } from './node-flags.mjs'
import { runNode } from './run-node.mjs'

/**
 * Runs the command line of Sendwright, with the settings of a file if there is one. An installed package does not read
 * `.env` of the working directory, because that file may hold the DATABASE_URL and PORT of an application.
 */
export async function runSendwright(args) {
  const file = isPackage ? join(process.cwd(), 'sendwright.env') : join(root, '.env')
  const settings = existsSync(file) ? [`--env-file=${file}`] : []
  return runNode([...NODE_FLAGS, ...settings, await chooseMain(), ...args], {
    env: { ...NODE_ENVIRONMENT, ...process.env },
    // The IPC channel closes if this process is killed, and then the server stops too.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  })
}

/** Returns the entry of the bundle, or that of the sources where they cannot be bundled: in a folder that is read-only, for one. */
async function chooseMain() {
  if (await ensureServerBuilt()) return SERVER
  console.error(
    'The server runs from its sources, and takes more time to start and more memory. See the message above.',
  )
  return join(root, 'src', 'main.ts')
}

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ensureServerBuilt, SERVER } from './built-server.mjs'
import { isPackage, root } from './ensure-installed.mjs'
import { NODE_ENVIRONMENT, NODE_FLAGS } from './node-flags.mjs'
import { runNode } from './run-node.mjs'

/**
 * Resolves with the entry of the server: that of the bundle, or that of the sources if they cannot be bundled, for example in a
 * read-only folder. Resolves with the exit code if a signal ended the build.
 */
export async function prepareServer() {
  const code = await ensureServerBuilt()
  if (code === 0) return SERVER
  if (code > 128) return code
  console.error(
    'The server could not be bundled, so it runs from its sources: it starts slower and uses more memory.',
  )
  return join(root, 'src', 'main.ts')
}

/**
 * Runs the command line of Sendwright, with the settings of a file if there is one. An installed package does not read
 * `.env` of the working directory, because that file may hold the DATABASE_URL and PORT of an application.
 * @param entry as `prepareServer` returns it
 */
export function runEntry(entry, args) {
  const file = isPackage ? join(process.cwd(), 'sendwright.env') : join(root, '.env')
  const settings = existsSync(file) ? [`--env-file=${file}`] : []
  return runNode([...NODE_FLAGS, ...settings, entry, ...args], {
    env: { ...NODE_ENVIRONMENT, ...process.env },
    // The IPC channel closes if this process is killed, and then the server stops too.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  })
}

/** Runs one command, and resolves with its exit code. */
export async function runSendwright(args) {
  const entry = await prepareServer()
  return typeof entry === 'number' ? entry : runEntry(entry, args)
}

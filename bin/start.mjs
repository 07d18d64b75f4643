import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { ensureInstalled, findNode, root } from './ensure-installed.mjs'
import { keepRunning } from './keep-running.mjs'

/**
 * Builds a part of what the server shows while it already runs. The server shows it once it is ready, and sends email without
 * it, so the build has a lower priority. Resolves when the build has ended.
 */
function build(workspace, name) {
  const args = ['--disable-warning=ExperimentalWarning', join(root, workspace, 'build.ts')]
  const child = spawn(findNode() ?? 'node', args, { cwd: root, stdio: ['ignore', 2, 2] })
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)
  process.once('exit', () => child.kill())
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(console.error(`Cannot build the ${name} (${error.code}).`)))
    child.once('exit', (code) => {
      if (code) console.error(`The build of the ${name} failed. Email works without it.`)
      resolve()
    })
  })
}

/** The dashboard is built when its sources changed, the documentation once: `npm run docs` builds it again. */
async function buildPages() {
  await build('web', 'dashboard')
  if (!existsSync(join(root, 'site', 'dist'))) await build('site', 'documentation')
}

ensureInstalled({ dev: false })
void buildPages()
process.exit(await keepRunning(['serve', ...process.argv.slice(2)]))

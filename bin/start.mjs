import { spawn } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { ensureInstalled, findNode, root } from './ensure-installed.mjs'
import { keepRunning } from './keep-running.mjs'

/**
 * Builds the dashboard while the server already runs. The server shows it once it is ready, and sends email without it, so
 * the build has a lower priority.
 */
function buildDashboard() {
  const build = spawn(findNode() ?? 'node', [join(root, 'web', 'build.ts')], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  })
  build.once('error', (error) => console.error(`Cannot build the dashboard (${error.code}).`))
  build.once('exit', (code) => {
    if (code) console.error('The dashboard build failed. Email works without it. To retry: npm run build:web')
  })
  if (build.pid !== undefined) setPriority(build.pid, constants.priority.PRIORITY_BELOW_NORMAL)
  process.once('exit', () => build.kill())
}

ensureInstalled({ dev: false })
buildDashboard()
process.exit(await keepRunning(['serve', ...process.argv.slice(2)]))

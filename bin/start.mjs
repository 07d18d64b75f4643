import { spawn } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { ensureInstalled, node, root } from './ensure-installed.mjs'
import { runSendwright } from './run-node.mjs'

/**
 * Builds the dashboard beside the server, which needs it for nothing else and shows it once it is there. It steps behind
 * everything that has to do with email.
 */
function buildDashboard() {
  const build = spawn(node, [join(root, 'web', 'build.ts')], { cwd: root, stdio: ['ignore', 2, 2] })
  build.once('error', (error) => console.error(`The dashboard cannot be built (${error.code}).`))
  build.once('exit', (code) => {
    if (code)
      console.error('The dashboard could not be built; email is not concerned. Again: npm run build:web')
  })
  if (build.pid !== undefined) setPriority(build.pid, constants.priority.PRIORITY_BELOW_NORMAL)
  process.once('exit', () => build.kill())
}

ensureInstalled({ dev: false })
buildDashboard()
process.exit(await runSendwright(['serve', ...process.argv.slice(2)]))

import { join } from 'node:path'
import { ensureInstalled, root } from './ensure-installed.mjs'
import { runNode } from './run-node.mjs'

ensureInstalled({ dev: true })
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
process.exit(await runNode([vitest, 'run', ...process.argv.slice(2)], { cwd: root }))

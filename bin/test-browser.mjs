import { join } from 'node:path'
import { ensureInstalled, root } from './ensure-installed.mjs'
import { runNode } from './run-node.mjs'

ensureInstalled({ dev: true })
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
const config = join(root, 'vitest.browser.config.ts')
process.exit(await runNode([vitest, 'run', '--config', config, ...process.argv.slice(2)], { cwd: root }))

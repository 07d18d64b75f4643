import { join } from 'node:path'
import { ensureInstalled, root } from './ensure-installed.mjs'
import { runNode } from './run-node.mjs'

ensureInstalled({ dev: true })
process.env.SENDWRIGHT_SCREENSHOTS = '1'
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
const config = join(root, 'vitest.browser.config.ts')
// An argument narrows the pages by a part of their name: `npm run screenshots -- -t templates`.
process.exit(await runNode([vitest, 'run', '--config', config, ...process.argv.slice(2)], { cwd: root }))

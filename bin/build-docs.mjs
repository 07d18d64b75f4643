import { join } from 'node:path'
import { ensureInstalled, root } from './ensure-installed.mjs'
import { runNode } from './run-node.mjs'

ensureInstalled({ dev: false })
const script = join(root, 'site', 'build.ts')
const args = ['--disable-warning=ExperimentalWarning', script, ...process.argv.slice(2)]
process.exit(await runNode(args, { cwd: root }))

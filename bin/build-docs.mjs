import { join } from 'node:path'
import { ensureInstalled, root } from './ensure-installed.mjs'
import { runNode } from './run-node.mjs'

ensureInstalled({ dev: false })
const script = join(root, 'site', 'build.ts')
process.exit(await runNode(['--disable-warning=ExperimentalWarning', script], { cwd: root }))

import { join } from 'node:path'
import { ensureInstalled, root } from './ensure-installed.mjs'
import { runNode } from './run-node.mjs'

ensureInstalled({ dev: true })
process.exit(
  await runNode([join(root, 'bench', 'bounces', 'run.ts'), ...process.argv.slice(2)], { cwd: root }),
)

import { join } from 'node:path'
import { ensureInstalled, root } from './ensure-installed.mjs'
import { runNode } from './run-node.mjs'

ensureInstalled({ dev: false })
process.exit(
  await runNode([join(root, 'ops', 'release', 'release.ts'), ...process.argv.slice(2)], { cwd: root }),
)

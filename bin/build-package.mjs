import { join } from 'node:path'
import { ensureInstalled, root } from './ensure-installed.mjs'
import { runNode } from './run-node.mjs'

// Standard output belongs to `npm pack`, which prints the name of the tarball there.
const options = { cwd: root, stdio: ['ignore', 2, 2] }
ensureInstalled({ dev: false })
const scripts = [
  join('web', 'build.ts'),
  join('site', 'build.ts'),
  join('ops', 'release', 'build-package.ts'),
]
for (const script of scripts) {
  const code = await runNode(['--disable-warning=ExperimentalWarning', join(root, script)], options)
  if (code !== 0) process.exit(code)
}

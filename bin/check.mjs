import { join } from 'node:path'
import { ensureInstalled, root } from './ensure-installed.mjs'
import { runNode } from './run-node.mjs'

// Everything that must hold before a change goes in, the quick things first. All of it runs; all failures are told.
const module = (...path) => join(root, 'node_modules', ...path)
const STEPS = [
  ['format', [module('@biomejs', 'biome', 'bin', 'biome'), 'format', '.']],
  ['lint', [module('@biomejs', 'biome', 'bin', 'biome'), 'lint', '--error-on-warnings', '.']],
  ['lint by types', [module('oxlint', 'bin', 'oxlint'), '--type-aware', '--deny-warnings']],
  ['types', [module('typescript', 'bin', 'tsc'), '--noEmit']],
  ['types of the dashboard', [module('typescript', 'bin', 'tsc'), '--noEmit', '-p', 'web']],
  ['types of its tests', [module('typescript', 'bin', 'tsc'), '--noEmit', '-p', join('test', 'browser')]],
  ['dead code', [module('knip', 'bin', 'knip.js')]],
  ['tests', [module('vitest', 'vitest.mjs'), 'run']],
  ['journeys', [module('vitest', 'vitest.mjs'), 'run', '--config', 'vitest.journeys.config.ts']],
  ['tests in a browser', [module('vitest', 'vitest.mjs'), 'run', '--config', 'vitest.browser.config.ts']],
]

ensureInstalled({ dev: true })
const failed = []
for (const [name, args] of STEPS) {
  console.log(`\n== ${name}`)
  const code = await runNode(args, { cwd: root })
  if (code > 128) process.exit(code)
  if (code !== 0) failed.push(name)
}
console.log(failed.length === 0 ? '\nAll checks passed.' : `\nFailed: ${failed.join(', ')}.`)
process.exit(failed.length === 0 ? 0 : 1)

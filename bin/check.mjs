import { join } from 'node:path'
import { ensureInstalled, root } from './ensure-installed.mjs'
import { runNode } from './run-node.mjs'

/** Every check that a change must pass, the fastest first: name and arguments for Node.js. */
const bin = (...path) => join(root, 'node_modules', ...path)
const STEPS = [
  ['format', [bin('@biomejs', 'biome', 'bin', 'biome'), 'format', '.']],
  ['lint', [bin('@biomejs', 'biome', 'bin', 'biome'), 'lint', '--error-on-warnings', '.']],
  ['type-aware lint', [bin('oxlint', 'bin', 'oxlint'), '--type-aware', '--deny-warnings']],
  ['types', [bin('typescript', 'bin', 'tsc'), '--noEmit']],
  ['dashboard types', [bin('typescript', 'bin', 'tsc'), '--noEmit', '-p', 'web']],
  ['browser test types', [bin('typescript', 'bin', 'tsc'), '--noEmit', '-p', join('test', 'browser')]],
  ['dead code', [bin('knip', 'bin', 'knip.js')]],
  ['tests', [bin('vitest', 'vitest.mjs'), 'run']],
  ['journeys', [bin('vitest', 'vitest.mjs'), 'run', '--config', 'vitest.journeys.config.ts']],
  ['browser tests', [bin('vitest', 'vitest.mjs'), 'run', '--config', 'vitest.browser.config.ts']],
]

ensureInstalled({ dev: true })

// A failed step does not end the run, so that one run reports every failure. A signal does.
const results = []
for (const [name, args] of STEPS) {
  console.log(`\n== ${name}`)
  const startMs = performance.now()
  const code = await runNode(args, { cwd: root })
  if (code > 128) process.exit(code)
  results.push({ name, failed: code !== 0, seconds: (performance.now() - startMs) / 1000 })
}

console.log('\n== summary')
for (const { name, failed, seconds } of results) {
  console.log(`${failed ? 'FAILED' : 'passed'}  ${name.padEnd(20)} ${seconds.toFixed(1).padStart(7)} s`)
}
const failed = results.filter((result) => result.failed)
console.log(
  failed.length === 0 ? 'All checks passed.' : `Failed: ${failed.map(({ name }) => name).join(', ')}.`,
)
process.exit(failed.length === 0 ? 0 : 1)

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { ensureInstalled, root } from './ensure-installed.mjs'
import { runNode } from './run-node.mjs'

const bin = (...path) => join(root, 'node_modules', ...path)
const reports = mkdtempSync(join(tmpdir(), 'sendwright-check-'))
process.on('exit', () => rmSync(reports, { recursive: true, force: true }))
const reportOf = (config) => join(reports, `${config}.json`)
const vitest = (config) => [
  ...[bin('vitest', 'vitest.mjs'), 'run', '--config', config],
  ...['--reporter=default', '--reporter=json', `--outputFile.json=${reportOf(config)}`],
]
/** Every check that a change must pass, the fastest first: name and arguments for Node.js. */
const STEPS = [
  ['format', [bin('@biomejs', 'biome', 'bin', 'biome'), 'format', '.']],
  ['lint', [bin('@biomejs', 'biome', 'bin', 'biome'), 'lint', '--error-on-warnings', '.']],
  ['type-aware lint', [bin('oxlint', 'bin', 'oxlint'), '--type-aware', '--deny-warnings']],
  ['types', [bin('typescript', 'bin', 'tsc'), '--noEmit']],
  ['dashboard types', [bin('typescript', 'bin', 'tsc'), '--noEmit', '-p', 'web']],
  ['browser test types', [bin('typescript', 'bin', 'tsc'), '--noEmit', '-p', join('test', 'browser')]],
  ['SDK types', [bin('typescript', 'bin', 'tsc'), '--noEmit', '-p', join('packages', 'sdk')]],
  ['documentation site types', [bin('typescript', 'bin', 'tsc'), '--noEmit', '-p', 'site']],
  ['MCP types', [bin('typescript', 'bin', 'tsc'), '--noEmit', '-p', join('packages', 'mcp')]],
  ['dead code', [bin('knip', 'bin', 'knip.js')]],
  ['tests', vitest('vitest.config.ts')],
  ['journeys', vitest('vitest.journeys.config.ts')],
  ['browser tests', vitest('vitest.browser.config.ts')],
]

ensureInstalled({ dev: true })

// A failed step does not end the run, so that one run reports every failure. A signal does.
const results = []
for (const [name, args] of STEPS) {
  console.log(`\n== ${name}`)
  const startMs = performance.now()
  const code = await runNode(args, { cwd: root })
  if (code > 128) process.exit(code)
  const seconds = (performance.now() - startMs) / 1000
  results.push({ name, failed: code !== 0, seconds, tests: code === 0 ? [] : readFailedTests(args) })
}

console.log('\n== summary')
for (const { name, failed, seconds } of results) {
  console.log(`${failed ? 'FAILED' : 'passed'}  ${name.padEnd(20)} ${seconds.toFixed(1).padStart(7)} s`)
}
const failed = results.filter((result) => result.failed)
for (const test of failed.flatMap(({ tests }) => tests)) console.log(test)
console.log(
  failed.length === 0 ? 'All checks passed.' : `Failed: ${failed.map(({ name }) => name).join(', ')}.`,
)
process.exit(failed.length === 0 ? 0 : 1)

/** Returns a line for each failed test of a vitest step. Other steps, and a step that broke off, have no report. */
function readFailedTests(args) {
  const report = args.find((arg) => arg.startsWith('--outputFile.json='))?.split('=')[1]
  if (report === undefined) return []
  try {
    return JSON.parse(readFileSync(report, 'utf8')).testResults.flatMap(describeFailures)
  } catch {
    return []
  }
}

function describeFailures({ name, message, assertionResults }) {
  const tests = assertionResults.filter(({ status }) => status === 'failed')
  const file = relative(root, name)
  if (tests.length === 0) return message === '' ? [] : [`  ${file}: ${shorten(message)}`]
  return tests.map(
    ({ fullName, failureMessages }) => `  ${file}: ${fullName}: ${shorten(failureMessages.join(' '))}`,
  )
}

function shorten(message) {
  return message.replaceAll(/\s+/g, ' ').slice(0, 400)
}

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { readFailures } from './check-report.mjs'
import { ensureInstalled, root } from './ensure-installed.mjs'
import { endOf, startNode } from './run-node.mjs'

const bin = (...path) => join(root, 'node_modules', ...path)
const reports = mkdtempSync(join(tmpdir(), 'sendwright-check-'))
process.on('exit', () => rmSync(reports, { recursive: true, force: true }))

/**
 * Every check that a change must pass: a name, the arguments for Node.js, and the steps that must end first. Static checks run
 * beside each other. oxlint reports the errors of TypeScript with those of its rules, as both need the types, which takes two
 * thirds of the time of `tsc` and oxlint; it checks each file by its own tsconfig.json, so the packages, which have the types of a
 * browser there, are checked once more with those of Node.js only. Tests, browser tests and journeys have as many workers as two
 * processors can serve, and time limits, so each runs alone: beside each other, browser tests and journeys took longer than in turn.
 * The journeys that hold a server to two seconds wait for outages most of the time; beside them run those that measure what one
 * server computes.
 */
const STEPS = [
  { name: 'dashboard', args: [join(root, 'web', 'build.ts')] },
  {
    name: 'format and lint',
    args: [bin('@biomejs', 'biome', 'bin', 'biome'), 'check', '--error-on-warnings', '.'],
  },
  {
    name: 'types',
    args: [bin('oxlint', 'bin', 'oxlint'), '--type-aware', '--type-check', '--deny-warnings'],
  },
  {
    name: 'package types',
    args: [bin('typescript', 'bin', 'tsc'), '-p', join('packages', 'tsconfig.node.json')],
    after: ['format and lint'],
  },
  { name: 'dead code', args: [bin('knip', 'bin', 'knip.js')], after: ['dashboard'] },
  {
    name: 'tests',
    args: vitest('vitest.config.ts'),
    after: ['types', 'package types', 'dead code'],
  },
  {
    name: 'journeys',
    args: vitest('vitest.journeys.config.ts', '--project', 'journeys'),
    after: ['tests'],
  },
  { name: 'browser tests', args: vitest('vitest.browser.config.ts'), after: ['journeys'] },
  {
    name: 'timed journeys',
    args: vitest('vitest.journeys.config.ts', '--project', 'timed'),
    // On a slow machine, the load of the measured ones would count as theirs.
    after: ['measured journeys'],
  },
  {
    name: 'measured journeys',
    args: vitest('vitest.journeys.config.ts', '--project', 'measured'),
    after: ['browser tests'],
  },
]

function vitest(config, ...more) {
  return [bin('vitest', 'vitest.mjs'), 'run', '--config', config, ...more]
}

function reportOf(name) {
  return join(reports, `${name.replaceAll(' ', '-')}.json`)
}

const LAST_LINES = 20

/** The names of steps select these. Options, such as --shard=1/2, are for vitest. */
const given = process.argv.slice(2)
const options = given.filter((argument) => argument.startsWith('--'))
const names = given.filter((argument) => !argument.startsWith('--'))
const unknown = names.find((name) => STEPS.every((step) => step.name !== name))
if (unknown !== undefined) {
  console.error(`There is no step "${unknown}". The steps are: ${STEPS.map(({ name }) => name).join(', ')}.`)
  process.exit(2)
}
const steps = names.length === 0 ? STEPS : STEPS.filter(({ name }) => names.includes(name))

ensureInstalled({ dev: true })

// A failed step does not end the run, so that one run reports every failure. A signal does.
const ended = new Map()
for (const step of steps) ended.set(step.name, runAfter(step))
const results = await Promise.all(ended.values())

console.log('\n== summary')
for (const { name, failed, seconds } of results) {
  console.log(`${failed ? 'FAILED' : 'passed'}  ${name.padEnd(20)} ${seconds.toFixed(1).padStart(7)} s`)
}
const failed = results.filter((result) => result.failed)
for (const { name, lastLines } of failed) {
  for (const line of readFailures(reportOf(name), lastLines)) console.log(line)
}
console.log(
  failed.length === 0 ? 'All checks passed.' : `Failed: ${failed.map(({ name }) => name).join(', ')}.`,
)
process.exit(failed.length === 0 ? 0 : 1)

async function runAfter({ name, args, after = [] }) {
  // Every step is in the map before the first one has ended.
  await Promise.resolve()
  await Promise.all(after.map((other) => ended.get(other)))
  const startMs = performance.now()
  const isVitest = args.includes('run')
  const { code, lastLines } = await runStep(name, isVitest ? [...args, ...options] : args)
  return { name, failed: code !== 0, lastLines, seconds: (performance.now() - startMs) / 1000 }
}

/**
 * Runs Node.js, and prints each line of its output behind the name of the step. Resolves with its exit code and its last
 * lines.
 */
async function runStep(name, args) {
  console.log(`== ${name}`)
  const env = { ...process.env, SENDWRIGHT_TEST_REPORT: reportOf(name) }
  const child = startNode(args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const lastLines = []
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      console.log(`${name} | ${line}`)
      lastLines.push(`  ${name}: ${line}`)
      if (lastLines.length > LAST_LINES) lastLines.shift()
    })
  }
  const code = await endOf(child)
  if (code > 128) process.exit(code)
  return { code, lastLines }
}

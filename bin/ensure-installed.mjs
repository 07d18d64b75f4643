import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

// Runs on the Node that the machine has (20 or later); everything else runs on the Node that npm brings.

export const root = dirname(dirname(fileURLToPath(import.meta.url)))
export const node = join(
  root,
  'node_modules',
  'node',
  'bin',
  process.platform === 'win32' ? 'node.exe' : 'node',
)

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(join(root, file), 'utf8')).packages
  } catch {
    return null
  }
}

/** Names of packages that the lock file wants and node_modules lacks or has in another version. */
function findMissing(wanted, present, withDev) {
  return Object.entries(wanted)
    .filter(([path, { optional, peer, dev, devOptional }]) => {
      if (path === '' || optional || peer) return false
      return withDev || !(dev || devOptional)
    })
    .filter(([path, { version }]) => present?.[path]?.version !== version)
    .map(([path]) => path)
}

function runNpm(args) {
  // Under `npm start` this is npm's own script: the same npm, also when it is not on the PATH.
  const script = process.env.npm_execpath
  const useScript = script !== undefined && /npm-cli\.c?js$/.test(script)
  const [command, first] = useScript ? [process.execPath, [script]] : ['npm', []]
  // Standard output belongs to the program that runs afterwards.
  return spawnSync(command, [...first, ...args], { cwd: root, stdio: ['ignore', 2, 2] })
}

function fail(what) {
  console.error(`${what} See the lines above; then try again.`)
  process.exit(1)
}

/**
 * Installs what package-lock.json asks for and node_modules lacks; quick when nothing is missing. `dev`: also what only
 * tests and checks need.
 */
export function ensureInstalled({ dev }) {
  const wanted = readPackages('package-lock.json')
  if (wanted === null) fail(`${join(root, 'package-lock.json')} is missing or damaged.`)
  const present = readPackages(join('node_modules', '.package-lock.json'))
  const missing = findMissing(wanted, present, dev)
  if (missing.length > 0) {
    console.error(`Installing ${missing.length} packages; this takes a minute or two the first time ...`)
    const wasFull = Object.values(present ?? {}).some((entry) => entry.dev)
    const scope = dev || wasFull ? '--include=dev' : '--omit=dev'
    // Not `ci`: it empties node_modules under the feet of a server that runs from it, and refuses altogether where a
    // registry lacks an optional package of another platform. The versions are those of the lock file either way.
    const { status } = runNpm(['install', '--no-save', scope, '--no-audit', '--no-fund', '--loglevel=error'])
    if (status !== 0) fail('npm could not install the packages.')
  }
  ensureNode()
}

/** The `node` package fetches its binary in a script of its own, which may be switched off (ignore-scripts). */
function ensureNode() {
  if (existsSync(node)) return
  console.error('Fetching Node.js 24 ...')
  const { status } = spawnSync(process.execPath, ['installArchSpecificPackage.js'], {
    cwd: join(root, 'node_modules', 'node'),
    stdio: ['ignore', 2, 2],
  })
  if (status !== 0 || !existsSync(node)) fail('Node.js 24 could not be fetched.')
}

import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

// This file runs on the Node.js of the machine (20 or later). Everything else runs on the Node.js that npm installs.

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

/** Returns the packages of the lock file that node_modules lacks or has in another version. */
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
  // `npm start` sets npm_execpath, so the same npm runs even if it is not on the PATH.
  const script = process.env.npm_execpath
  const useScript = script !== undefined && /npm-cli\.c?js$/.test(script)
  const [command, first] = useScript ? [process.execPath, [script]] : ['npm', []]
  // npm writes to standard error, because standard output belongs to the program that runs afterwards.
  return spawnSync(command, [...first, ...args], { cwd: root, stdio: ['ignore', 2, 2] })
}

function fail(problem) {
  console.error(`${problem} See the messages above, then try again.`)
  process.exit(1)
}

/**
 * Installs the packages of package-lock.json that node_modules lacks, and exits with 1 if that fails. Takes milliseconds if
 * nothing is missing. `dev` includes the packages that only tests and checks need.
 */
export function ensureInstalled({ dev }) {
  const wanted = readPackages('package-lock.json')
  if (wanted === null) fail(`${join(root, 'package-lock.json')} is missing or invalid.`)
  const present = readPackages(join('node_modules', '.package-lock.json'))
  const missing = findMissing(wanted, present, dev)
  if (missing.length > 0) {
    console.error(`Installing ${missing.length} packages. The first time, this takes a minute or two ...`)
    const wasFull = Object.values(present ?? {}).some((entry) => entry.dev)
    const scope = dev || wasFull ? '--include=dev' : '--omit=dev'
    // `npm ci` would first delete node_modules, from which a server may be running. Both install the versions of the lock
    // file.
    const { status } = runNpm(['install', '--no-save', scope, '--no-audit', '--no-fund', '--loglevel=error'])
    if (status !== 0) fail('npm failed to install the packages.')
  }
  ensureNode()
}

/** Downloads Node.js 24 if the install script of the package `node` did not run (ignore-scripts). */
function ensureNode() {
  if (existsSync(node)) return
  console.error('Downloading Node.js 24 ...')
  const { status } = spawnSync(process.execPath, ['installArchSpecificPackage.js'], {
    cwd: join(root, 'node_modules', 'node'),
    stdio: ['ignore', 2, 2],
  })
  if (status !== 0 || !existsSync(node)) fail('Could not download Node.js 24.')
}

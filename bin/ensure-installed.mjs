import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

// This file runs on the Node.js of the machine (20 or later). Everything else runs on the Node.js that npm installs.

export const root = dirname(dirname(fileURLToPath(import.meta.url)))
/** Whether this is the package that `npm pack` makes. It has compiled files, and npm has installed its dependencies. */
export const isPackage = !existsSync(join(root, 'src', 'main.ts'))
const NODE_MAJOR = 24

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
 * Installs what is missing, and exits with 1 if that fails. Takes milliseconds if nothing is missing. In a clone, that is
 * the packages of package-lock.json. `dev` includes the packages that only tests and checks need.
 */
export function ensureInstalled({ dev }) {
  if (!isPackage) ensurePackages(dev)
  ensureNode()
}

function ensurePackages(dev) {
  const wanted = readPackages('package-lock.json')
  if (wanted === null) fail(`${join(root, 'package-lock.json')} is missing or invalid.`)
  const present = readPackages(join('node_modules', '.package-lock.json'))
  const missing = findMissing(wanted, present, dev)
  if (missing.length === 0) return
  console.error(`Installing ${missing.length} packages. The first time, this takes a minute or two ...`)
  const wasFull = Object.values(present ?? {}).some((entry) => entry.dev)
  const scope = dev || wasFull ? '--include=dev' : '--omit=dev'
  // `npm ci` would first delete node_modules, from which a server may be running. Both install the versions of the lock
  // file.
  const { status } = runNpm(['install', '--no-save', scope, '--no-audit', '--no-fund', '--loglevel=error'])
  if (status !== 0) fail('npm failed to install the packages.')
}

/** Returns the folder of the package `node`, which npm may have put beside this package or inside it, or null. */
function findNodePackage() {
  try {
    return dirname(createRequire(join(root, 'package.json')).resolve('node/package.json'))
  } catch {
    return null
  }
}

/**
 * Returns the Node.js to run: the one that npm installed or else, if it is new enough, the one that runs this file. Null
 * when there is none.
 */
export function findNode() {
  const folder = findNodePackage()
  const file = folder && join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  if (file !== null && existsSync(file)) return file
  return Number.parseInt(process.versions.node, 10) >= NODE_MAJOR ? process.execPath : null
}

/** Downloads Node.js 24 if the install script of the package `node` did not run (ignore-scripts). */
function ensureNode() {
  if (findNode() !== null) return
  const folder = findNodePackage()
  if (folder !== null) {
    console.error(`Downloading Node.js ${NODE_MAJOR} ...`)
    const options = { cwd: folder, stdio: ['ignore', 2, 2] }
    spawnSync(process.execPath, ['installArchSpecificPackage.js'], options)
    if (findNode() !== null) return
  }
  fail(
    `Sendwright needs Node.js ${NODE_MAJOR}, and npm could not download it. Install Node.js ${NODE_MAJOR} on this machine, or ` +
      'give npm access to its registry.',
  )
}

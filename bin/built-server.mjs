import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { isPackage, root } from './ensure-installed.mjs'
import { runNode } from './run-node.mjs'

/** What Node.js runs: the modules of the server, bundled into a few files (docs/adr/0056-bundled-server.md). */
export const SERVER = join(root, 'dist', 'main.js')

const BUILDER = join('ops', 'release', 'build-server.ts')
const STAMP = join(root, 'dist', 'stamp.txt')
/** Everything the bundle depends on. */
const SOURCES = ['src', join('packages', 'sdk', 'src'), BUILDER, 'package-lock.json']

/**
 * Bundles the server of a clone if a source has changed: about two seconds; otherwise milliseconds. Resolves with the exit code of
 * the build; 0 means that `SERVER` matches the sources. A package has no sources, and its server was bundled by `npm pack`.
 */
export async function ensureServerBuilt() {
  if (isPackage) return 0
  const stamp = stampOfSources()
  if (existsSync(SERVER) && existsSync(STAMP) && readFileSync(STAMP, 'utf8') === stamp) return 0
  const options = { cwd: root, stdio: ['ignore', 2, 2] }
  return runNode(['--disable-warning=ExperimentalWarning', join(root, BUILDER), stamp], options)
}

/**
 * Returns a hash of the names, sizes and modification times of the sources. Hashing their contents would take as long as the bundle
 * saves.
 */
function stampOfSources() {
  const hash = createHash('sha256')
  for (const file of SOURCES.flatMap(listFiles)) {
    // An editor may remove a file meanwhile.
    const { size, mtimeMs } = statSync(join(root, file), { throwIfNoEntry: false }) ?? {}
    hash.update(`${file}\0${size}\0${mtimeMs}\0`)
  }
  return hash.digest('hex')
}

function listFiles(path) {
  if (!statSync(join(root, path)).isDirectory()) return [path]
  return readdirSync(join(root, path), { recursive: true })
    .filter((file) => /^[^.].*(?<!\.test)\.ts$/.test(basename(file)))
    .sort()
    .map((file) => join(path, file))
}

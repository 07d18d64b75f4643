import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isPackage, root } from './ensure-installed.mjs'
import { runNode } from './run-node.mjs'

/** What Node.js runs: the modules of the server, bundled into a few files (docs/adr/0056-bundled-server.md). */
export const SERVER = join(root, 'dist', 'main.js')

const BUILDER = join('ops', 'release', 'build-server.ts')
const STAMP = join(root, 'dist', 'stamp.txt')
/** Everything the bundle depends on. */
const SOURCES = ['src', join('packages', 'sdk', 'src'), BUILDER, 'package-lock.json']

/**
 * Bundles the server of a clone, unless it was bundled from the same sources: in milliseconds, or else in a second or two.
 * Resolves with whether `SERVER` is of these sources. A package has no sources, and its server was bundled by `npm pack`.
 */
export async function ensureServerBuilt() {
  if (isPackage) return true
  const stamp = stampOfSources()
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === stamp) return true
  const options = { cwd: root, stdio: ['ignore', 2, 2] }
  const code = await runNode(['--disable-warning=ExperimentalWarning', join(root, BUILDER), stamp], options)
  return code === 0
}

/** Returns a hash of the names, sizes and times of the sources: reading them all would take as long as the bundle saves. */
function stampOfSources() {
  const hash = createHash('sha256')
  for (const file of SOURCES.flatMap(listFiles)) {
    const { size, mtimeMs } = statSync(join(root, file))
    hash.update(`${file}\0${size}\0${mtimeMs}\0`)
  }
  return hash.digest('hex')
}

function listFiles(path) {
  if (!statSync(join(root, path)).isDirectory()) return [path]
  return readdirSync(join(root, path), { recursive: true })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .sort()
    .map((file) => join(path, file))
}

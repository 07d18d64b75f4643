import { createHash } from 'node:crypto'
import {
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { build } from 'vite'

const ROOT = import.meta.dirname
const PROJECT = join(ROOT, '..')
const DIST = join(ROOT, 'dist')
/** What the dashboard was built from: written last, so a folder that has it is whole. */
const STAMP = 'stamp.txt'

const compressors = [
  [
    'br',
    (bytes: Buffer) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  ],
  ['gz', (bytes: Buffer) => promisify(gzip)(bytes, { level: 9 })],
] as const

/** Builds the dashboard into web/dist unless what is there was built from the very same sources. */
async function buildDashboard(): Promise<void> {
  const stamp = stampOfSources()
  if (isBuilt(stamp)) return
  console.error('Building the dashboard; this is done once, and takes some seconds ...')
  const startedMs = performance.now()
  const making = join(ROOT, `.making-${process.pid}`)
  try {
    await build({
      root: ROOT,
      configFile: join(ROOT, 'vite.config.ts'),
      logLevel: 'error',
      build: { outDir: making, emptyOutDir: true },
    })
    await compressAll(making)
    writeFileSync(join(making, STAMP), stamp)
    replaceDist(making)
  } finally {
    rmSync(making, { recursive: true, force: true })
  }
  console.error(`The dashboard is built (${((performance.now() - startedMs) / 1000).toFixed(1)} s).`)
}

/** Of all that goes into the build: sources, settings, versions of libraries. */
function stampOfSources(): string {
  const hash = createHash('sha256')
  const files = globSync(['**/*.{ts,tsx,css,html,svg}'], {
    cwd: ROOT,
    exclude: (name) => /^(dist|\.making.*)$/.test(name),
  })
  for (const file of files.sort())
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(ROOT, file)))
      .update('\0')
  return hash.update(readFileSync(join(PROJECT, 'package-lock.json'))).digest('hex')
}

function isBuilt(stamp: string): boolean {
  const file = join(DIST, STAMP)
  return existsSync(file) && readFileSync(file, 'utf8') === stamp
}

/** Beside each file that shrinks lie its compressed forms: no request pays for that. */
async function compressAll(folder: string): Promise<void> {
  const files = globSync('**/*.{js,css,html,svg,json}', { cwd: folder })
  await Promise.all(
    files.flatMap((file) => {
      const bytes = readFileSync(join(folder, file))
      return compressors.map(async ([ending, compress]) => {
        const smaller = await compress(bytes)
        if (smaller.length < bytes.length) writeFileSync(join(folder, `${file}.${ending}`), smaller)
      })
    }),
  )
}

/** Two builds at once may both come here; either's result is whole. */
function replaceDist(making: string): void {
  const old = join(ROOT, `.making-old-${process.pid}`)
  if (existsSync(DIST)) renameSync(DIST, old)
  mkdirSync(ROOT, { recursive: true })
  try {
    renameSync(making, DIST)
  } catch (error) {
    if (!existsSync(join(DIST, STAMP))) throw error
  }
  rmSync(old, { recursive: true, force: true })
}

/** What builds that were killed left. */
function removeTombstones(): void {
  for (const name of readdirSync(ROOT)) {
    const pid = /^\.making-(?:old-)?(\d+)$/.exec(name)?.[1]
    if (pid !== undefined && !isRunning(Number(pid)))
      rmSync(join(ROOT, name), { recursive: true, force: true })
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as { code?: string }).code === 'EPERM'
  }
}

// Whoever starts it may have set another: React would come with all that helps while it is written.
process.env.NODE_ENV = 'production'
removeTombstones()
await buildDashboard()
if (process.argv.includes('--sizes')) printSizes()

function printSizes(): void {
  for (const file of globSync('**/*.br', { cwd: DIST }).sort())
    console.log(`${String(readFileSync(join(DIST, file)).length).padStart(8)}  ${relative('.', file)}`)
}

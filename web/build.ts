import { createHash } from 'node:crypto'
import {
  appendFileSync,
  existsSync,
  globSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import { build } from 'vite'
import { replaceFolder } from '../ops/release/replace-folder.ts'

const ROOT = import.meta.dirname
const PROJECT = join(ROOT, '..')
const DIST = join(ROOT, 'dist')
/** Holds a hash of the sources. It is written last, so a folder that has it is complete. */
const STAMP = 'stamp.txt'

/** The licences of the fonts that styles/fonts.css names. */
const FONT_LICENSES = [
  import.meta.resolve('@fontsource-variable/inter/LICENSE'),
  import.meta.resolve('@fontsource-variable/jetbrains-mono/LICENSE'),
]

const compress = (bytes: Buffer) =>
  promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } })

/** Builds the dashboard into web/dist, unless it was built from the same sources. */
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
    addFontLicenses(join(making, 'licenses.txt'))
    await compressAll(making)
    writeFileSync(join(making, STAMP), stamp)
    replaceFolder(DIST, making)
  } finally {
    rmSync(making, { recursive: true, force: true })
  }
  console.error(`The dashboard is built (${((performance.now() - startedMs) / 1000).toFixed(1)} s).`)
}

/** Returns a hash of everything the build depends on: sources, configuration, versions of libraries. */
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

/** Vite lists the licences of the scripts in the bundle. Those of the fonts must accompany it too. */
function addFontLicenses(file: string): void {
  for (const license of FONT_LICENSES) {
    const path = fileURLToPath(license)
    const { name, version } = JSON.parse(readFileSync(join(path, '../package.json'), 'utf8')) as {
      name: string
      version: string
    }
    appendFileSync(file, `\n## ${name} - ${version} (OFL-1.1)\n\n${readFileSync(path, 'utf8')}`)
  }
}

/** Writes a compressed copy next to each file that gets smaller. The server compresses for the few browsers that cannot read it. */
async function compressAll(folder: string): Promise<void> {
  const files = globSync('**/*.{js,css,html,svg,json}', { cwd: folder })
  await Promise.all(
    files.map(async (file) => {
      const bytes = readFileSync(join(folder, file))
      const smaller = await compress(bytes)
      if (smaller.length < bytes.length) writeFileSync(join(folder, `${file}.br`), smaller)
    }),
  )
}

/** Removes what interrupted builds left behind. */
function removeInterruptedBuilds(): void {
  for (const name of readdirSync(ROOT)) {
    const pid = /^\.making-(\d+)(?:\.old)?$/.exec(name)?.[1]
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

// The environment may set another value, which would include React's development code.
process.env.NODE_ENV = 'production'
removeInterruptedBuilds()
await buildDashboard()
if (process.argv.includes('--sizes')) printSizes()

function printSizes(): void {
  for (const file of globSync('**/*.br', { cwd: DIST }).sort())
    console.log(`${String(readFileSync(join(DIST, file)).length).padStart(8)}  ${relative('.', file)}`)
}

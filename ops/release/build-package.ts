import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { compile } from './compile.ts'

// `npm pack` and `npm publish` run this after the dashboard is built. Node.js refuses to strip types under node_modules, so
// the package contains JavaScript.

const ROOT = join(import.meta.dirname, '..', '..')
const SOURCES = join(ROOT, 'src')
const PACKAGES = join(ROOT, 'packages')
const DIST = join(ROOT, 'dist')

/** Builds in another folder first, so that `dist` is always complete. */
function buildServer(): void {
  const making = `${DIST}.${process.pid}`
  for (const file of globSync('**/*.{ts,sql}', { cwd: SOURCES })) {
    if (!file.endsWith('.test.ts')) addFile(SOURCES, file, making)
  }
  for (const file of globSync('{cli,sdk}/src/**/*.ts', { cwd: PACKAGES })) {
    addFile(PACKAGES, file, join(making, 'packages'))
  }
  rmSync(DIST, { recursive: true, force: true })
  renameSync(making, DIST)
}

function addFile(sources: string, file: string, folder: string): void {
  const target = join(folder, file)
  mkdirSync(dirname(target), { recursive: true })
  if (file.endsWith('.sql')) cpSync(join(sources, file), target)
  else writeFileSync(target.replace(/\.ts$/, '.js'), compile(readFileSync(join(sources, file), 'utf8')))
}

if (!existsSync(join(ROOT, 'web', 'dist', 'index.html'))) throw new Error('The dashboard is not built.')
buildServer()

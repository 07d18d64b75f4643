import { execFile } from 'node:child_process'
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..', '..')
const COPIED = ['bin', 'ops', 'package.json', 'package-lock.json', 'packages', 'src']
const LONG_AGO = new Date('2026-01-01T00:00:00Z')

let clone = ''
const bundle = () => join(clone, 'dist', 'main.js')
const isOld = () => statSync(bundle()).mtime.getTime() === LONG_AGO.getTime()

beforeAll(() => {
  clone = mkdtempSync(join(tmpdir(), 'sendwright-clone-'))
  for (const name of COPIED) {
    const filter = (path: string) => !/\/(?:node_modules|test)$|\.test\.ts$/.test(path)
    cpSync(join(ROOT, name), join(clone, name), { recursive: true, filter, preserveTimestamps: true })
  }
  symlinkSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'))
  return () => rmSync(clone, { recursive: true, force: true })
})

/** Runs the command line of the clone. */
function run(...args: string[]) {
  return promisify(execFile)('node', [join(clone, 'bin', 'sendwright.mjs'), ...args])
}

test('the command line bundles the server before its first run, and again after a change of a source', async () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }
  expect(await run('--version')).toEqual({ stdout: `${version}\n`, stderr: '' })
  utimesSync(bundle(), LONG_AGO, LONG_AGO)
  await run('--version')
  expect(isOld()).toBe(true)

  const main = join(clone, 'src', 'main.ts')
  writeFileSync(main, `console.log('changed')\n${readFileSync(main, 'utf8')}`)
  writeFileSync(join(clone, 'dist', 'of-a-former-bundle.js'), '')
  expect((await run('--version')).stdout).toBe(`changed\n${version}\n`)
  expect(globSync('of-*', { cwd: join(clone, 'dist') })).toEqual([])
})

test('without a bundle, the sources run', async () => {
  rmSync(join(clone, 'dist'), { recursive: true })
  writeFileSync(join(clone, 'dist'), 'no folder')
  const { stdout, stderr } = await run('--version')
  expect(stdout).toMatch(/^changed\n\d/)
  expect(stderr).toContain('EEXIST')
  expect(stderr).toContain('The server runs from its sources')
  rmSync(join(clone, 'dist'))
})

test('a module from a folder that is not watched is refused', async () => {
  const elsewhere = join(clone, 'bench')
  mkdirSync(elsewhere)
  writeFileSync(join(elsewhere, 'far.ts'), 'export const far = 1\n')
  const main = join(clone, 'src', 'main.ts')
  writeFileSync(
    main,
    `import { far } from '../bench/far.ts'\nconsole.log(far)\n${readFileSync(main, 'utf8')}`,
  )
  const { stdout, stderr } = await run('--version')
  expect(stderr).toContain('bench/far.ts is not among the sources')
  expect(stdout).toMatch(/^1\n/)
})

test('no module but one names its own place, except for a thread or to load a package', () => {
  const named = globSync('{src,packages/sdk/src}/**/*.ts', { cwd: ROOT })
    .filter((file) => !file.endsWith('.test.ts'))
    .flatMap((file) => {
      const code = readFileSync(join(ROOT, file), 'utf8')
      const allowed =
        /new URL\('\.\/[\w-]+-thread\.ts', import\.meta\.url\)|createRequire\(import\.meta\.url\)/g
      return code.replaceAll(allowed, '').includes('import.meta.') ? [file] : []
    })
  expect(named).toEqual(['src/lib/project-folder.ts'])
})

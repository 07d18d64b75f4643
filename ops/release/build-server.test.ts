import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
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
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..', '..')
const COPIED = ['bin', 'ops', 'package.json', 'package-lock.json', 'packages', 'src']
const CHANGED = 'changed: é, 😀'
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
  return promisify(execFile)(process.execPath, [join(clone, 'bin', 'sendwright.mjs'), ...args])
}

test('the command line bundles the server before its first run, and again after a change of a source', async () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }
  expect(await run('--version')).toEqual({ stdout: `${version}\n`, stderr: '' })
  utimesSync(bundle(), LONG_AGO, LONG_AGO)
  await run('--version')
  expect(isOld()).toBe(true)

  const main = join(clone, 'src', 'main.ts')
  writeFileSync(main, `console.log('${CHANGED}')\n${readFileSync(main, 'utf8')}`)
  writeFileSync(join(clone, 'dist', 'of-a-former-bundle.js'), '')
  expect((await run('--version')).stdout).toBe(`${CHANGED}\n${version}\n`)
  expect(globSync('of-*', { cwd: join(clone, 'dist') })).toEqual([])
})

test('a file that an editor keeps beside a source, and a bundle that lacks its entry, do no harm', async () => {
  symlinkSync('somebody@host.1234', join(clone, 'src', '.#main.ts'))
  rmSync(bundle())
  expect((await run('--version')).stdout).toContain(`${CHANGED}\n`)
  expect(readFileSync(join(clone, 'dist', 'licenses.txt'), 'utf8')).toContain('Permission is hereby granted')
})

test('the bundle is ASCII, so that V8 needs one byte for each character', () => {
  const files = globSync('*.js', { cwd: join(clone, 'dist') })
  const wide = files.filter((file) => /[^\0-\x7f]/.test(readFileSync(join(clone, 'dist', file), 'utf8')))
  expect([files.length > 50, wide]).toEqual([true, []])
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

describe('with another builder', () => {
  const replaceBuilder = (code: string) =>
    writeFileSync(join(clone, 'ops', 'release', 'build-server.ts'), code)

  test('that fails, the sources run', async () => {
    replaceBuilder("throw new Error('no bundle today')\n")
    const { stdout, stderr } = await run('--version')
    expect(stdout).toMatch(new RegExp(`^1\\n${CHANGED}\\n\\d`))
    expect(stderr).toContain('no bundle today')
    expect(stderr).toContain('it runs from its sources')
  })

  test.each([['--version'], ['serve']])(
    'a signal that ends it ends %s too, which does not run',
    async (command) => {
      replaceBuilder("console.error('building'); setInterval(() => {}, 1000)\n")
      const child = spawn(process.execPath, [join(clone, 'bin', 'sendwright.mjs'), command], {
        stdio: 'pipe',
      })
      child.stderr.once('data', () => child.kill('SIGTERM'))
      const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'close')])
      expect({ output, code }).toEqual({ output: '', code: 143 })
    },
  )
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

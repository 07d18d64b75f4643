import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { compile } from './compile.ts'

const SOURCES = join(import.meta.dirname, '..', '..', 'src')

test('imports and thread entries name the compiled files', () => {
  const source = [
    "import { compile } from './compile.ts'",
    "const { compile: again } = await import('../release/compile.ts')",
    "const entry = new URL('./compile.ts', import.meta.url)",
  ].join('\n')
  expect(compile(source)).toBe(source.replaceAll('.ts', '.js'))
})

test('imports from packages name the copies inside dist', () => {
  const compiled = compile(
    "await import('../packages/cli/src/run.ts')\nawait import('../../packages/cli/src/a.ts')",
  )
  expect(compiled).toBe(
    "await import('./packages/cli/src/run.js' )\nawait import('../packages/cli/src/a.js'   )",
  )
})

test('every source keeps its lines and columns, so that stack traces need no source maps', () => {
  const moved = globSync('**/*.ts', { cwd: SOURCES }).filter((file) => {
    const source = readFileSync(join(SOURCES, file), 'utf8')
    const lengthsOf = (text: string) => text.split('\n').map((line) => line.length)
    return lengthsOf(compile(source)).join() !== lengthsOf(source).join()
  })
  expect(moved).toEqual([])
})

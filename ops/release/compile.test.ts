import { globSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
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

test('paths to packages lead to the copies inside dist, and keep their length', () => {
  const source = [
    "new URL('../packages/sdk/src/run.ts', base)",
    "new URL('../../packages/sdk/src/run.ts', base)",
  ]
  expect(source.map(compile)).toEqual([
    "new URL('./packages/sdk/src/run.js' , base)",
    "new URL('../packages/sdk/src/run.js'   , base)",
  ])
})

test('every source keeps its lines and columns, so that stack traces need no source maps', () => {
  const moved = globSync('**/*.ts', { cwd: SOURCES }).filter((file) => {
    const source = readFileSync(join(SOURCES, file), 'utf8')
    const lengthsOf = (text: string) => text.split('\n').map((line) => line.length)
    return lengthsOf(compile(source)).join() !== lengthsOf(source).join()
  })
  expect(moved).toEqual([])
})

test('comments become spaces, and nothing else does', () => {
  expect(compile("const a = 1\n  // b\n/**\n * c\n */\nf('//d') // e\n")).toBe(
    "const a = 1\n      \n   \n    \n   \nf('//d') // e\n",
  )
  const changed = globSync('**/*.ts', { cwd: SOURCES }).filter((file) => {
    const source = readFileSync(join(SOURCES, file), 'utf8')
    return codeOf(compile(source)) !== codeOf(source)
  })
  expect(changed).toEqual([])
})

/** Returns the code as a compiler prints it, without comments and with paths of one kind. */
function codeOf(source: string): string {
  const code = stripTypeScriptTypes(source, { mode: 'transform' })
  return code.replaceAll('.js', '.ts').replaceAll(/(?:\.{1,2}\/)+packages\//g, 'packages/')
}

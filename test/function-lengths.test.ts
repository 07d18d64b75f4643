import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'oxc-parser'
import { expect, test } from 'vitest'
import { childrenOf, type Node } from './support/syntax.ts'

const ROOT = join(import.meta.dirname, '..')
const LINES_MAX = 60
const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'])
const FILES = globSync(
  ['{src,web,test,bench,ops}/**/*.{ts,tsx}', 'packages/*/{src,test}/**/*.ts', 'clients/test/**/*.ts'],
  { cwd: ROOT },
).filter(
  (file) => !/\.test\.ts$|fixtures\/|^packages\/sdk\/src\/api\.ts$|\/(?:node_modules|dist)\//.test(file),
)

/** Calls `visit` with every node of a syntax tree, and with the functions around it, outermost first. */
function walk(
  node: Node,
  around: readonly Node[],
  visit: (node: Node, around: readonly Node[]) => void,
): void {
  visit(node, around)
  const inside = FUNCTIONS.has(node.type) ? [...around, node] : around
  for (const child of childrenOf(node)) walk(child, inside, visit)
}

/** Returns a function that gives the line of an offset, from 0. */
function lineCounter(text: string): (offset: number) => number {
  const lines = new Uint32Array(text.length + 1)
  for (let offset = 0; offset < text.length; offset++) {
    lines[offset + 1] = (lines[offset] ?? 0) + (text[offset] === '\n' ? 1 : 0)
  }
  return (offset) => lines[offset] ?? 0
}

/**
 * Returns the functions of a file that are too long, as `file:line count`. The lines of an object literal count as one: a
 * record has as many lines as fields, and a reader skims them.
 */
function findLongFunctions(file: string): string[] {
  const text = readFileSync(join(ROOT, file), 'utf8')
  const lineAt = lineCounter(text)
  const folded = new Map<Node, Set<number>>()
  walk(parseSync(file, text).program as unknown as Node, [], (node, around) => {
    if (FUNCTIONS.has(node.type)) folded.set(node, new Set())
    if (node.type !== 'ObjectExpression') return
    for (let line = lineAt(node.start) + 1; line <= lineAt(node.end); line++) {
      for (const outer of around) folded.get(outer)?.add(line)
    }
  })
  return [...folded].flatMap(([node, lines]) => {
    const count = lineAt(node.end) - lineAt(node.start) + 1 - lines.size
    return count > LINES_MAX ? [`${file}:${lineAt(node.start) + 1} ${count}`] : []
  })
}

test('no function has more than 60 lines besides the fields of its records', () => {
  expect(FILES.length).toBeGreaterThan(1000)
  expect(FILES.flatMap(findLongFunctions)).toEqual([])
})

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'oxc-parser'
import { describe, expect, test } from 'vitest'
import { calledName, type Node, visitNodes } from './support/syntax.ts'

// Every phrase of the lists that recognize replies and notices has an example among the fixtures, whose verdicts other
// tests check. A phrase without one is untried: nobody would notice its loss.
const ROOT = join(import.meta.dirname, '..')
const FIXTURES = join(ROOT, 'test/fixtures')
const FILES = globSync('src/{classification,inbound}/**/*.ts', { cwd: ROOT }).filter(
  (file) => !file.endsWith('.test.ts'),
)

/** What the tables write before a text: its verdict, stage or kind, and language. */
const LABELS = /^(?:(?:hard|soft) (?:(?:dot|words) )?|\S+ \S+ \S+ (?:\w+) (?=\d{3})|(?:\w+) [a-z]{2} )/

/** Returns the texts of the fixtures: a reply or a whole notice each. */
function examples(): string[] {
  const tables = globSync('notice-texts/*.txt', { cwd: FIXTURES })
  return ['replies.txt', 'held-back-replies/replies.txt', ...tables].flatMap((name) => {
    const text = readFileSync(join(FIXTURES, name), 'utf8')
    if (name.includes('formats')) return text.split(/^=== /m)
    return text.split('\n').map((line) => line.replace(LABELS, '').replaceAll('\\n', '\n'))
  })
}

interface PhraseList {
  line: number
  phrases: readonly RegExp[]
}

/** Returns the lists that a file passes to `anyPhrase` and `oneOf`. */
function listsOf(file: string): PhraseList[] {
  const source = readFileSync(join(ROOT, file), 'utf8')
  const lists: PhraseList[] = []
  visitNodes(parseSync(file, source).program as unknown as Node, (node) => {
    if (node.type !== 'CallExpression' || !/^(?:anyPhrase|oneOf)$/.test(calledName(node))) return
    const line = source.slice(0, node.start).split('\n').length
    lists.push({ line, phrases: (node.arguments as Node[]).map((argument) => phraseOf(file, argument)) })
  })
  return lists
}

/** A fragment of a pattern, which is a string, is searched for as the patterns are: in either case. */
function phraseOf(file: string, { type, value }: Node): RegExp {
  if (value instanceof RegExp) return value
  if (typeof value === 'string') return new RegExp(value, 'i')
  throw new Error(`${file} passes a ${type} as a phrase: only literals can be checked.`)
}

const texts = examples()

describe.each(FILES.map((file) => [file, listsOf(file)] as const).filter(([, lists]) => lists.length > 0))(
  '%s',
  (_file, lists) => {
    test.each(lists)('phrases of line $line have an example each', ({ phrases }) => {
      const untried = phrases.filter((phrase) => !texts.some((text) => phrase.test(text)))
      expect(untried.map(({ source }) => source)).toEqual([])
    })
  },
)

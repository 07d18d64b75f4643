import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'oxc-parser'
import { expect, test } from 'vitest'
import { isNode, type Node } from './support/statements/find-statements.ts'

/** The words that people read stand in `texts.ts` files, so that they can be revised and translated in one place. */
const ROOT = join(import.meta.dirname, '..')
const FILES = globSync('web/{app,pages,ui}/**/*.{ts,tsx}', { cwd: ROOT }).filter(
  (file) => !file.endsWith('.test.ts') && !file.endsWith('/texts.ts'),
)

/** Properties of components and of option tables whose value people read or hear. */
const READ = new Set([
  ...['action', 'alt', 'aria-description', 'aria-label', 'caption', 'children', 'description', 'error'],
  ...['header', 'heading', 'hint', 'label', 'legend', 'message', 'none', 'note', 'nothingFound'],
  ...['nothingFoundMessage', 'placeholder', 'summary', 'title', 'tooltip', 'unit', 'words'],
])
/** Elements that show code. */
const CODE = new Set(['code', 'Kbd', 'pre', 'CodeBlock'])
/** Names, addresses and codes are the same in every language. */
const UNTRANSLATED = [
  ...[/^Sendwright$/, /^https?:\/\//, /^[\w.+-]*@[\w.-]*$/, /<[\w.+-]+@[\w.-]+>$/],
  ...[/^[\w-]*(\.[\w-]*)+$/, /^[a-z]+(-[a-z]+)+$/, /^[A-Z]{4}-[A-Z]{4}$/, /^\/[a-z-]+$/],
]
const SENTENCE = /^\p{Lu}[\p{Ll}’'][^\n]* [^\n]*\p{Ll}[.?!…]$/u

/** Returns the literal words of an expression: those of a string, of a template, or of either branch of a choice. */
function wordsOf(node: unknown): string[] {
  if (!isNode(node)) return []
  switch (node.type) {
    case 'Literal':
      return typeof node.value === 'string' ? [node.value] : []
    case 'TemplateLiteral':
      return [(node.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join('')]
    case 'ConditionalExpression':
      return [...wordsOf(node.consequent), ...wordsOf(node.alternate)]
    case 'LogicalExpression':
      return wordsOf(node.right)
    case 'JSXExpressionContainer':
    case 'ParenthesizedExpression':
      return wordsOf(node.expression)
    default:
      return []
  }
}

const nameOf = (node: unknown): string => (isNode(node) ? String(node.name ?? node.value ?? '') : '')
const isWords = (text: string) =>
  /\p{L}{2}/u.test(text) && !UNTRANSLATED.some((pattern) => pattern.test(text.trim()))

/** Returns the words that this node itself shows to people. */
function shownBy(node: Node): string[] {
  switch (node.type) {
    case 'JSXElement':
    case 'JSXFragment': {
      const tag = isNode(node.openingElement) ? nameOf(node.openingElement.name) : ''
      if (CODE.has(tag)) return []
      return (node.children as Node[]).flatMap((child) =>
        child.type === 'JSXText' ? [String(child.value)] : wordsOf(child),
      )
    }
    case 'JSXAttribute':
      return READ.has(nameOf(node.name)) ? wordsOf(node.value) : []
    case 'Property':
      // One lower-case word is a name in a program, such as the severity of a check.
      return READ.has(nameOf(node.key)) ? wordsOf(node.value).filter((text) => !/^[a-z_]+$/.test(text)) : []
    default:
      return wordsOf(node).filter((text) => SENTENCE.test(text))
  }
}

function findTexts(file: string, source: string): string[] {
  const { program, errors } = parseSync(file, source)
  expect(errors).toEqual([])
  const found = new Set<string>()
  const visit = (node: Node) => {
    if (/^(?:TS|Import)/.test(node.type) && !/Expression$/.test(node.type)) return
    const line = source.slice(0, node.start).split('\n').length
    for (const text of shownBy(node).filter(isWords)) found.add(`${file}:${line} ${text.trim()}`)
    for (const value of Object.values(node).flat()) if (isNode(value)) visit(value)
  }
  visit(program as unknown as Node)
  return [...found]
}

test('a text outside of a texts file is found wherever people read it', () => {
  const page = [
    "import { Button } from 'kit'",
    "const COLUMNS = [{ header: 'Status', path: 'status', tone: 'green' }]",
    "const fail = () => notify('The file was not saved.')",
    'export const Row = ({ name, isNew }: { name: string; isNew: boolean }) => (',
    '  <Button title="Open the email" className="wide row" aria-label={isNew ? "Unread" : name}>',
    "    {isNew && 'new'} <code>npm start</code> Subject {name}",
    '  </Button>',
    ')',
  ]
  expect(findTexts('page.tsx', page.join('\n'))).toEqual([
    'page.tsx:2 Status',
    'page.tsx:3 The file was not saved.',
    'page.tsx:5 new',
    'page.tsx:5 Subject',
    'page.tsx:5 Open the email',
    'page.tsx:5 Unread',
  ])
})

test.each(FILES)('%s has no texts of its own', (file) => {
  expect(findTexts(file, readFileSync(join(ROOT, file), 'utf8'))).toEqual([])
})

import fc from 'fast-check'
import PostalMime from 'postal-mime'
import { describe, expect, test } from 'vitest'
import { PASSES_MAX, passesOf } from '../../../test/support/passes.ts'
import { isProblem, type MessageProblem } from './message-problem.ts'
import { type RawMessage, repairRawMessage } from './raw-message.ts'

const MISSING = { messageIdLocal: 'id', date: new Date(0) }
const HEAD = 'From: ann@b.test\r\nSubject: x\r\n'

function repair(text: string): RawMessage {
  const result = repairRawMessage(text, MISSING)
  if (isProblem(result)) throw new Error(`It was rejected: ${result.problem}`)
  return result
}

function problemOf(text: string): MessageProblem {
  const result = repairRawMessage(text, MISSING)
  if (isProblem(result)) return result
  throw new Error('It was accepted.')
}

const multipart = (boundary: string, kind = 'mixed') =>
  `Content-Type: multipart/${kind}; boundary="${boundary}"\r\n`
const nested = (levels: number) =>
  `${HEAD}${Array.from({ length: levels }, (_, level) => `${multipart(`b${level}`)}\r\n--b${level}\r\n`).join('')}\r\nx`
const parts = (count: number) => `${HEAD}${multipart('b')}\r\n${'--b\r\n\r\nx\r\n'.repeat(count)}--b--\r\n`

describe('bounded', () => {
  const tooDeep: MessageProblem = { problem: 'too_deep', levelsMax: 100 }
  const tooManyParts: MessageProblem = { problem: 'too_many_parts', countMax: 1000 }
  const tooManyFields: MessageProblem = {
    problem: 'malformed_header',
    cause: { problem: 'too_many_fields', countMax: 1000 },
  }
  const longHeader: MessageProblem = { problem: 'long_header', bytesMax: 262_144 }
  const longPartHeaders: MessageProblem = { problem: 'long_part_headers', bytesMax: 1_048_576 }
  const hostile: [title: string, make: () => string, problem: MessageProblem][] = [
    ['101 levels', () => nested(101), tooDeep],
    ['10,000 levels', () => nested(10_000), tooDeep],
    [
      '10,000 forwarded messages',
      () => `${HEAD}${'Content-Type: message/rfc822\r\n\r\n'.repeat(10_000)}`,
      tooDeep,
    ],
    ['1,000 parts beside the message', () => parts(1000), tooManyParts],
    ['100,000 parts', () => parts(100_000), tooManyParts],
    ['1,001 header fields', () => `${HEAD}${'X: y\r\n'.repeat(999)}\r\nx`, tooManyFields],
    ['100,000 header fields', () => `${HEAD}${'X: y\r\n'.repeat(100_000)}\r\nx`, longHeader],
    ['a header of 10 MB', () => `${HEAD}X: ${'y\r\n '.repeat(2_500_000)}\r\n\r\nx`, longHeader],
    ['a header line of 10 MB', () => `${HEAD}X: ${'y'.repeat(10_000_000)}\r\n\r\nx`, longHeader],
    [
      'parts with long headers',
      () => `${HEAD}${multipart('b')}\r\n${`--b\r\n${'X: y\r\n'.repeat(900)}\r\n`.repeat(900)}`,
      longPartHeaders,
    ],
    [
      'parts with endless headers',
      () => `${HEAD}${multipart('b')}\r\n${`--b\r\n${`${'y'.repeat(70)}\r\n`.repeat(900)}`.repeat(500)}`,
      longPartHeaders,
    ],
    [
      'a part that is nothing but header',
      () => `${HEAD}${multipart('b')}\r\n--b\r\n${'X: y\r\n'.repeat(1_000_000)}`,
      { problem: 'long_part_header' },
    ],
    [
      'millions of lines that begin like delimiters',
      () => `${HEAD}${multipart('ab')}\r\n${'--a\r\n'.repeat(7_000_000)}`,
      { problem: 'too_many_delimiters', countMax: 500_000 },
    ],
  ]
  for (const [title, make, problem] of hostile) {
    test(`bounded: ${title} are refused immediately`, () => {
      const text = make()
      expect(passesOf(() => expect(problemOf(text)).toEqual(problem), text)).toBeLessThan(PASSES_MAX)
    })
  }

  const costly: [title: string, make: () => string][] = [
    ['lines that begin like delimiters', () => `${HEAD}${multipart('ab')}\r\n${'--a\r\n'.repeat(490_000)}`],
    ['nothing but line ends', () => `${HEAD}\r\n${'\n'.repeat(12_000_000)}`],
    ['one line', () => `${HEAD}\r\n${'x'.repeat(12_000_000)}`],
    ['spaces', () => `${HEAD}X: ${' '.repeat(900)}y\r\n\r\n${' '.repeat(10_000_000)}`],
    ['escapes', () => `${HEAD}Content-Transfer-Encoding: quoted-printable\r\n\r\n${'='.repeat(4_000_000)}`],
  ]
  for (const [title, make] of costly) {
    test(`bounded: megabytes of ${title} are accepted in linear time`, () => {
      const text = make()
      expect(passesOf(() => repair(text), text)).toBeLessThan(PASSES_MAX)
    })
  }

  test('bounded: one empty line is searched once for a thousand parts before it', () => {
    const text = `${HEAD}${multipart('b')}\r\n${'--b\r\n'.repeat(1_000)}${'a\r\n'.repeat(80_000)}`
    const read = () => expect(problemOf(text)).toEqual(tooManyParts)
    expect(passesOf(read, text, PASSES_MAX / 4)).toBeLessThan(PASSES_MAX / 4)
  })

  const siblings = Array.from({ length: 997 }, (_, no) => no)
  const begin = (encoding: string) => (no: number) =>
    `--b\r\n${multipart(`b${no}`)}Content-Transfer-Encoding: ${encoding}\r\n\r\n`
  test.each([
    ['7bit', null],
    ['base64', 'ambiguous_multipart'],
  ])('bounded: multiparts in %s whose delimiters come last, or never, are read once', (encoding, problem) => {
    const last = problem === null ? '' : siblings.map((no) => `--b${no}\r\n`).join('')
    const all = `${siblings.map(begin(encoding)).join('')}--b\r\n\r\n${'a\r\n'.repeat(1_000_000)}--b--\r\n`
    const text = `${HEAD}${multipart('b')}\r\n${all}${last}`
    const read = () => repairRawMessage(text, MISSING, { isMended: true })
    // Reading all again for each takes a hundred.
    expect(passesOf(read, text, PASSES_MAX / 25)).toBeLessThan(PASSES_MAX / 25)
    const result = read()
    expect(isProblem(result) ? result.problem : null).toBe(problem)
  })

  test('bounded: hundreds of multiparts in base64 with delimiters are mended, also after a text in base64', () => {
    const filled = (no: number) => `${begin('base64')(no)}before\r\n--b${no}\r\n\r\nx\r\n`
    const plain = '--b\r\nContent-Transfer-Encoding: base64\r\n\r\nQQ==\r\n'
    const text = `${HEAD}${multipart('b')}\r\n${plain}${siblings.slice(0, 490).map(filled).join('')}--b--\r\n`
    const result = repairRawMessage(text, MISSING, { isMended: true })
    expect(String(isProblem(result) ? result.problem : result.bytes).match(/Encoding: 8bit/g)).toHaveLength(
      490,
    )
  })

  test('bounded: 100 levels and 999 parts are accepted', () => {
    expect(repair(nested(100)).from.address).toBe('ann@b.test')
    expect(repair(parts(999)).from.address).toBe('ann@b.test')
  })
})

describe('refused', () => {
  const inner = (boundary: string) => `--b\r\n${multipart(boundary)}\r\n--${boundary}\r\n\r\nx\r\n`
  test.each([
    ['no boundary', 'Content-Type: multipart/mixed\r\n\r\nx'],
    ['an empty boundary', `${multipart('')}\r\nx`],
    ['a boundary of 201 characters', `${multipart('x'.repeat(201))}\r\nx`],
    ['a boundary that ends in a space', `${multipart('x ')}\r\nx`],
    ['a boundary beyond ASCII', `${multipart('ü')}\r\nx`],
    ['two boundaries', 'Content-Type: multipart/mixed; boundary=a; boundary=b\r\n\r\nx'],
    ['a boundary with a comment', 'Content-Type: multipart/mixed; boundary=a (b)\r\n\r\nx'],
    ['a multipart in base64', `${multipart('b')}Content-Transfer-Encoding: base64\r\n\r\nx`],
    ['a boundary inside itself', `${multipart('b')}\r\n${inner('b')}`],
    ['a boundary that ends another', `${multipart('b')}\r\n${inner('b--')}`],
    ['a boundary that another ends', `${multipart('b--')}\r\n--b--\r\n${multipart('b')}\r\nx`],
  ])('refused: %s', (_, text) =>
    expect(problemOf(`${HEAD}${text}`)).toEqual({ problem: 'ambiguous_multipart' }),
  )

  test('refused: a part with two types', () => {
    const text = `${HEAD}${multipart('b')}\r\n--b\r\nContent-Type: text/plain\r\nContent-Type: text/html\r\n\r\nx`
    expect(problemOf(text)).toEqual({ problem: 'repeated_part_field', name: 'content-type' })
  })
})

interface Leaf {
  name: string
  content: string
}
interface Tree {
  boundary: string
  children: (Leaf | Tree)[]
}

const leaf = fc.record({
  name: fc.stringMatching(/^[a-z]{1,8}$/),
  content: fc.constantFrom('', 'x', 'ü', '--', '--b', 'x'.repeat(1200), 'a\r\n\r\nb', '--zz--'),
})
let counter = 0
const { tree } = fc.letrec<{ tree: Tree; node: Leaf | Tree }>((tie) => ({
  tree: fc.record({
    boundary: fc.nat(9).map((n) => `=_${n}_${++counter}`),
    children: fc.array(tie('node'), { minLength: 1, maxLength: 4 }),
  }),
  node: fc.oneof({ depthSize: 'small' }, leaf, tie('tree')),
}))

function write(node: Leaf | Tree): string {
  if ('name' in node) {
    return `Content-Type: application/x\r\nContent-Disposition: attachment; filename=${node.name}\r\n\r\n${node.content}`
  }
  const { boundary, children } = node
  const body = children.map((child) => `--${boundary}\r\n${write(child)}\r\n`).join('')
  return `${multipart(boundary)}\r\nbefore\r\n${body}--${boundary}--\r\nafter`
}

const leavesOf = (node: Leaf | Tree): Leaf[] => ('name' in node ? [node] : node.children.flatMap(leavesOf))

test('an independent parser finds the same parts, and their sizes are correct', async () => {
  await fc.assert(
    fc.asyncProperty(tree, async (given) => {
      const { bytes, attachments } = repair(`${HEAD}MIME-Version: 1.0\r\n${write(given)}`)
      const leaves = leavesOf(given)
      const read = (await PostalMime.parse(bytes)).attachments
      expect(read.map(({ filename }) => filename)).toEqual(leaves.map(({ name }) => name))
      expect(
        read.map(({ content }) =>
          Buffer.from(content as ArrayBuffer)
            .toString()
            .trim(),
        ),
      ).toEqual(
        leaves
          .map(({ content }) => content.replace(/\r\n/g, '\n').trim())
          .map((text) => expect.stringMatching(lines(text))),
      )
      expect(attachments.map(({ filename, size }) => [filename, size])).toEqual(
        leaves.map(({ name, content }) => [name, Buffer.byteLength(content)]),
      )
    }),
    { numRuns: 300 },
  )
})

const lines = (text: string) => new RegExp(`^${text.split('\n').join('\\r?\\n')}$`)

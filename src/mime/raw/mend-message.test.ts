import * as fc from 'fast-check'
import { simpleParser } from 'mailparser'
import PostalMime from 'postal-mime'
import { describe, expect, test } from 'vitest'
import { isProblem, type MessageProblem } from './message-problem.ts'
import { repairRawMessage } from './raw-message.ts'

const MISSING = { messageIdLocal: 'id', date: new Date(0) }
const FROM = 'From: ann@b.test\r\n'
const SIGNED = 'DKIM-Signature: v=1; d=other.test; s=a; h=from; b=x\r\n'

function mend(text: string) {
  const result = repairRawMessage(Buffer.from(text), MISSING, { isMended: true })
  if (isProblem(result)) throw new Error(JSON.stringify(result))
  return { ...result, text: result.bytes.toString() }
}

function problemOf(text: string): MessageProblem {
  const result = repairRawMessage(Buffer.from(text), MISSING, { isMended: true })
  if (!isProblem(result)) throw new Error(result.bytes.toString())
  return result
}

/** Returns the fields without those that every repair adds. */
const fieldsOf = (text: string) =>
  (mend(text).text.split('\r\n\r\n')[0] as string).replace(
    /\r\n(?:Date|Message-ID|MIME-Version): [^\r\n]*/g,
    '',
  )

describe('From', () => {
  test.each([
    ['ann@b.test (Ann Smith)', 'Ann Smith <ann@b.test>'],
    ['(Ann) ann@b.test', 'Ann <ann@b.test>'],
    ['ann@b.test (e@x.test)', '"e@x.test" <ann@b.test>'],
    ['Ann (of Acme) <ann@b.test>', 'Ann <ann@b.test>'],
    ['Ann <ann@b.test> (Acme)', 'Ann <ann@b.test>'],
    ['ann@b.test (a) (b)', 'ann@b.test'],
    ['e@x.test <ann@b.test>', '"e@x.test" <ann@b.test>'],
    ['Acme, Inc. <ann@b.test>', '"Acme, Inc." <ann@b.test>'],
    ['[Acme] News: <ann@b.test>', '"[Acme] News:" <ann@b.test>'],
    ['"Acme" @ home <ann@b.test>', '"Acme @ home" <ann@b.test>'],
    ['Ann [Ö] <ann@b.test>', '=?UTF-8?B?QW5uIFvDll0=?= <ann@b.test>'],
    ['=?utf-8?q?=C3=84nn?= (x) <ann@b.test>', '=?UTF-8?Q?=C3=84nn?= <ann@b.test>'],
    ['< ann@b.test >', 'ann@b.test'],
    ['ann@B.test (Ann)', 'Ann <ann@b.test>'],
  ])('written anew: %s', (value, expected) => {
    expect(fieldsOf(`From: ${value}\r\nSubject: x\r\n\r\nx`).split('\r\n')[0]).toBe(`From: ${expected}`)
    expect(fieldsOf(`${FROM}Sender: ${value}\r\n\r\nx`).split('\r\n')[1]).toBe(`Sender: ${expected}`)
    const signed = problemOf(`${SIGNED}From: ${value}\r\n\r\nx`)
    expect(signed).toEqual({ problem: 'signed_address', name: 'from' })
    const own = SIGNED.replace('other.test', 'b.test')
    expect(fieldsOf(`${own}From: ${value}\r\n\r\nx`)).toBe(`From: ${expected}`)
  })

  test.each([
    ['', 'empty'],
    [`${'a '.repeat(1000)} <ann@b.test>`, 'too_long'],
    ['ann@b.test, e@x.test', 'several'],
    ['e@x.test, Ann <ann@b.test>', 'several'],
    ['Ann <ann@b.test>, Eve <e@x.test>', 'several'],
    ['<e@x.test> <ann@b.test>', 'several'],
    ['Team: e@x.test <ann@b.test>', 'several'],
    ['Team: ann@b.test;', 'group'],
    ['Team: Ann <ann@b.test>;', 'group'],
    ['undisclosed:', 'group'],
    ['ann(x)@b.test', 'inner_comment'],
    ['Ann" <ann@b.test>', 'unclosed'],
    ['Ann (x <ann@b.test>', 'unclosed'],
    ['Ann <<ann@b.test>>', 'unclosed'],
    ['<ann@b.test', 'unclosed'],
    ['<ann@b.test> x', 'text_after'],
    ['<@x.test:ann@b.test>', 'route'],
    ['=?utf-8?q?=3Ce=40x.test=3E?= <ann@b.test>', 'name_characters'],
    ['=?utf-8?q?=3Ce=40x.test=3E?= (x) <ann@b.test>', 'name_characters'],
    ['Ann <ann@b>', 'not_an_address'],
    ['"e@x.test"@b.test', 'not_an_address'],
  ])('refused: %.40s', (value, fault) => {
    expect(problemOf(`From: ${value}\r\n\r\nx`)).toEqual({ problem: 'not_one_address', name: 'from', fault })
  })

  test('one sender for two parsers, whatever is mended', async () => {
    const pieces = [
      'ann@b.test',
      '<ann@b.test>',
      'e@x.test',
      '<e@x.test>',
      '"e"',
      '"',
      'Ann',
      '(c)',
      '(e@x.test)',
    ]
    const signs = [
      '(',
      ')',
      ',',
      ';',
      ':',
      '<',
      '>',
      '@',
      '[',
      ']',
      ' ',
      '\\',
      '=?utf-8?q?e=40x=2C?=',
      'ü',
      '\r\n ',
    ]
    const value = fc.array(fc.constantFrom(...pieces, ...signs), { maxLength: 7 }).map((all) => all.join(''))
    let acceptedCount = 0
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          value,
          value.map((text) => `${text} <ann@b.test>`),
        ),
        async (from) => {
          const text = `From: ${from}\r\nSubject: x\r\n\r\nx`
          const message = repairRawMessage(Buffer.from(text), MISSING, { isMended: true })
          if (isProblem(message)) return
          acceptedCount++
          const address = message.from.address.toLowerCase()
          const [postal, simple] = [await PostalMime.parse(message.bytes), await simpleParser(message.bytes)]
          expect(postal.from?.address?.toLowerCase()).toBe(address)
          expect(simple.from?.value.map((mailbox) => mailbox.address?.toLowerCase())).toEqual([address])
          expect(isProblem(repairRawMessage(message.bytes, MISSING))).toBe(false)
        },
      ),
      { numRuns: 2000 },
    )
    expect(acceptedCount).toBeGreaterThan(300)
  })
})

const URLS = Array.from({ length: 9 }, (_, no) => `<https://b.test/${no}${'u'.repeat(150)}>`)
const IDS = Array.from({ length: 60 }, (_, no) => `<${no}@b.test>`)
const PEOPLE = Array.from({ length: 60 }, (_, no) => `"B, ${no}" <bob${no}@c.test>`)

describe('lines of the header', () => {
  test.each([
    ['an mbox line', `From ann Sat Nov 21 05:07:26 2026\r\n${FROM}`, 'From: ann@b.test'],
    ['a quoted mbox line', `>From a@b.test Sat, 21 Nov 2026\r\n${FROM}`, 'From: ann@b.test'],
    ['a space before the colon', `From : ann@b.test\r\nSubject\t : x\r\n`, 'From: ann@b.test\r\nSubject: x'],
    ['a line of white space at the end', `${FROM}Subject: x\r\n \t\r\n`, 'From: ann@b.test\r\nSubject: x'],
    [
      'a line of white space within a field',
      `${FROM}Subject: x\r\n \r\n y\r\n`,
      'From: ann@b.test\r\nSubject: x\r\n y',
    ],
    [
      'one between fields',
      `${FROM}Subject: x\r\n  \r\nX-Y: z\r\n`,
      'From: ann@b.test\r\nSubject: x\r\nX-Y: z',
    ],
  ])('mended: %s', (_, header, expected) => expect(fieldsOf(`${header}\r\nbody`)).toBe(expected))

  test.each([
    ['words', 'X-Words', 'word '.repeat(400).trim()],
    ['a Subject of one word', 'Subject', 'x'.repeat(1500)],
    ['a Subject in UTF-8', 'Subject', 'ü'.repeat(700)],
    ['addresses', 'To', PEOPLE.join(',')],
    ['URLs', 'List-Unsubscribe', URLS.join(',')],
    ['identifiers', 'References', IDS.join('')],
    [
      'parameters',
      'Content-Type',
      `text/plain${Array.from({ length: 200 }, (__, no) => `;a${no}=1`).join('')}`,
    ],
  ])('folded: %s', async (_, name, value) => {
    const { bytes, text } = mend(`${FROM}${name}: ${value}\r\n\r\nbody`)
    expect(Math.max(...text.split('\r\n').map((line) => Buffer.byteLength(line)))).toBeLessThanOrEqual(998)
    const { headers } = await PostalMime.parse(bytes)
    const read = headers.find(({ key }) => key === name.toLowerCase())?.value ?? ''
    const plain = (field: string) => field.replace(/\s/g, '')
    expect(name === 'Subject' ? (await PostalMime.parse(bytes)).subject : plain(read)).toBe(plain(value))
  })

  test.each([
    ['a long value without a place to fold', `${FROM}X-Data: ${'x'.repeat(1000)}\r\n`, 'unfoldable_line'],
    ['one long URL', `${FROM}List-Unsubscribe: <https://b.test/${'x'.repeat(1000)}>\r\n`, 'unfoldable_line'],
    ['a control character', `${FROM} \r\nX-A: \u0001\r\n`, 'control_character'],
    ['no field', `${FROM}hello\r\n`, 'not_a_field'],
    ['a folded first line', ` x\r\n${FROM}`, 'not_a_field'],
    ['an mbox line elsewhere', `${FROM}From ann Sat Nov 21 05:07:26 2026\r\n`, 'not_a_field'],
  ])('refused: %s', (_, header, problem) => {
    expect(problemOf(`${header}\r\nbody`)).toMatchObject({ problem: 'malformed_header', cause: { problem } })
  })

  test('refused: two From after the space before the colon is gone', () => {
    expect(problemOf(`From : e@x.test\r\n${FROM}\r\nbody`)).toEqual({ problem: 'not_one_from' })
    expect(problemOf(`${FROM}Subject: x\r\n \r\nFrom: e@x.test\r\n\r\nx`)).toEqual({
      problem: 'not_one_from',
    })
  })

  test('not mended below a signature of another domain, but for the mbox line', () => {
    const mbox = 'From ann Sat Nov 21 05:07:26 2026\r\n'
    expect(fieldsOf(`${mbox}${SIGNED}${FROM}\r\nbody`)).toBe(`${SIGNED}${FROM}`.trimEnd())
    expect(problemOf(`${SIGNED}${FROM}Subject : x\r\n\r\nbody`)).toMatchObject({
      problem: 'signed_header',
      cause: { problem: 'not_a_field', line: 3 },
    })
  })
})

describe('Content-Transfer-Encoding', () => {
  const PART = 'Content-Type: text/plain; charset=utf-8\r\n'
  test.each([
    ['8-bit', '8bit'],
    ['8 Bit', '8bit'],
    ['"base64"', 'base64'],
    ['Base-64', 'base64'],
    ['base64;', 'base64'],
    ['base64 (RFC 2045)', 'base64'],
    ['quoted printable', 'quoted-printable'],
    ['QP', 'quoted-printable'],
    ['', '8bit'],
    ['utf-8', '8bit'],
    ['x-unknown', 'x-unknown'],
  ])('%j is %s', (given, meant) => {
    const body = meant === 'base64' ? 'eA==' : 'x'
    const text = `${FROM}${PART}Content-Transfer-Encoding: ${given}\r\n\r\n${body}`
    expect(fieldsOf(text)).toContain(`\r\nContent-Transfer-Encoding: ${meant}`)
    expect(fieldsOf(SIGNED + text)).toContain(`\r\nContent-Transfer-Encoding: ${given}`)
  })

  test('a sloppy token before eight-bit text: the text arrives', async () => {
    const { bytes } = mend(`${FROM}${PART}Content-Transfer-Encoding: 8-bit\r\n\r\nGrüße\r\n`)
    expect((await PostalMime.parse(bytes)).text?.trim()).toBe('Grüße')
  })

  const multipart = (encoding: string, boundary = 'b') =>
    `${FROM}Content-Type: multipart/mixed; boundary=${boundary}\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n--b\r\n${PART}Content-Transfer-Encoding: 8-bit\r\n\r\nGrüße\r\n--b--\r\n`

  test.each(['base64', 'quoted-printable', 'utf-8', 'x-odd'])(
    '%s of a multipart is none',
    async (encoding) => {
      const { bytes, text } = mend(multipart(encoding))
      expect(text.split('\r\n--b')[0]).toContain('\r\nContent-Transfer-Encoding: 8bit\r\n')
      expect((await PostalMime.parse(bytes)).text?.trim()).toBe('Grüße')
    },
  )

  test('refused: a multipart without readable delimiters, and one that another domain has signed', () => {
    expect(problemOf(multipart('base64', 'c'))).toEqual({ problem: 'ambiguous_multipart' })
    expect(problemOf(SIGNED + multipart('base64'))).toEqual({ problem: 'ambiguous_multipart' })
  })

  test('kept: what a multipart/signed contains', () => {
    const inner = `--b\r\n${PART}Content-Transfer-Encoding: 8-bit\r\n\r\nx\r\n--b--\r\n`
    const text = `${FROM}Content-Type: multipart/signed; boundary=b\r\n\r\n${inner}`
    expect(mend(text).text).toContain(inner)
  })
})

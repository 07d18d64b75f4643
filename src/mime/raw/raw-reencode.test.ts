import fc from 'fast-check'
import { simpleParser } from 'mailparser'
import PostalMime from 'postal-mime'
import { describe, expect, test } from 'vitest'
import { PASSES_MAX, passesOf } from '../../../test/support/passes.ts'
import { isProblem, type MessageProblem } from './message-problem.ts'
import { type RawMessage, repairRawMessage } from './raw-message.ts'

const MISSING = { messageIdLocal: 'id', date: new Date(0) }
const whole = (header: string, body: string) =>
  `From: ann@b.test\r\nSubject: x\r\nMIME-Version: 1.0\r\n${header}\r\n${body}`

function repair(header: string, body: string): RawMessage {
  const result = repairRawMessage(whole(header, body), MISSING)
  if (isProblem(result)) throw new Error(`It was rejected: ${result.problem}`)
  return result
}

function problemOf(header: string, body: string): MessageProblem {
  const result = repairRawMessage(whole(header, body), MISSING)
  if (isProblem(result)) return result
  throw new Error('It was accepted.')
}

/** Independent readers differ in how they treat line ends at the end. */
const normal = (text: string | undefined) => (text ?? '').replace(/\r\n?/g, '\n').replace(/\n+$/, '')
const LONG = 'word '.repeat(1000)

/** The text of the repaired message as two parsers read it; fit for every server. */
async function textsOf(header: string, body: string): Promise<string[]> {
  const { bytes } = repair(header, body)
  const wire = bytes.toString('latin1')
  expect(wire).toMatch(/^[\t\r\n -~]*$/)
  for (const line of wire.split('\r\n')) expect(line.length).toBeLessThanOrEqual(998)
  return [normal((await PostalMime.parse(bytes)).text), normal((await simpleParser(bytes)).text)]
}

describe('encoded again', () => {
  test.each([
    ['8-bit text without any type', '', 'Grüße 😀\r\n.\r\nFrom me\r\n'],
    ['8-bit text', 'Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n', 'Grüße'],
    ['8-bit text of no charset', 'Content-Type: text/plain; format=flowed;\r\n', 'Grüße'],
    ['8-bit text that says ASCII', 'Content-Type: text/plain; charset="us-ascii"\r\n', 'Grüße'],
    ['mostly 8-bit text', 'Content-Type: text/plain\r\n', 'приветпривет\r\n'.repeat(100)],
    ['a long line', '', `${LONG}\r\nend`],
    ['a long line in 7bit', 'Content-Transfer-Encoding: 7bit\r\n', LONG],
    ['a long line in binary', 'Content-Transfer-Encoding: BINARY\r\n', LONG],
    ['short lines in binary', 'Content-Transfer-Encoding: binary\r\n', 'x'],
    ['a long line without a space', '', 'x'.repeat(5000)],
  ])('encoded again: %s', async (_, header, body) => {
    expect(await textsOf(header, body)).toEqual([normal(body), normal(body)])
  })

  test('encoded again: quoted-printable in long lines, with 8-bit text and malformed escapes', async () => {
    const header =
      'Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n'
    const body = `${'Gr=C3=BC=C3=9Fe '.repeat(200)}=\r\nend ü = = =2\r\n=3D\r\n`
    const text = normal(`${'Grüße '.repeat(200)}end ü = = =2\n=`)
    expect(await textsOf(header, body)).toEqual([text, text])
  })

  test('encoded again: any quoted-printable text keeps its meaning', async () => {
    const header =
      'Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n'
    const piece = fc.constantFrom(
      '=',
      '=3D',
      '=C3=BC',
      'ü',
      ' ',
      'x'.repeat(70),
      '\r\n',
      '=\r\n',
      '\t',
      'A',
      '0',
    )
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 30 }), async (pieces) => {
        const body = `${pieces.join('')}|${'y'.repeat(1000)}|`
        const before = await PostalMime.parse(whole(header, body))
        const { bytes } = repair(header, body)
        expect((await PostalMime.parse(bytes)).text).toBe(before.text)
      }),
      { numRuns: 500 },
    )
  })

  test('encoded again: Base64 in one line', async () => {
    const header = 'Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n'
    const body = Buffer.from('Grüße '.repeat(1000)).toString('base64')
    expect(await textsOf(header, body)).toEqual([
      normal('Grüße '.repeat(1000)),
      normal('Grüße '.repeat(1000)),
    ])
  })

  test('encoded again: only the parts that need it', async () => {
    const fine = '--b\r\nContent-Type: text/plain\r\n\r\nfine -- \r\n--\r\n'
    const html = `--b\r\nContent-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n<p>${LONG}ü</p>\r\n`
    const file = `--b\r\nContent-Type: application/x\r\nContent-Transfer-Encoding: base64\r\nContent-Disposition: attachment; filename=a.bin\r\n\r\n${'QUJD'.repeat(500)}\r\n`
    const body = `preamble\r\n${fine}${html}${file}--b--\r\nepilogue\r\n`
    const { bytes, attachments } = repair('Content-Type: multipart/mixed; boundary=b\r\n', body)
    expect(bytes.includes(fine)).toBe(true)
    expect(attachments).toEqual([
      { filename: 'a.bin', contentType: 'application/x', contentId: null, size: 1500 },
    ])
    for (const read of [await PostalMime.parse(bytes), await simpleParser(bytes)]) {
      expect(normal(read.text)).toMatch(/^fine -- \n--/)
      expect(String(read.html)).toContain(`<p>${LONG}ü</p>`)
      expect(Buffer.from(read.attachments[0]?.content as Buffer).toString()).toBe('ABC'.repeat(500))
    }
  })

  test("encoded again: others' signatures are removed, because they would be broken", () => {
    const header = 'DKIM-Signature: v=1; d=other.test; b=x\r\n'
    expect(repair(header, 'x').bytes.includes('other.test')).toBe(true)
    expect(repair(header, 'ü').bytes.includes('other.test')).toBe(false)
  })
})

describe('unchanged', () => {
  const signed = (body: string) =>
    [
      'Content-Type: multipart/signed; boundary=s; protocol="application/pgp-signature"\r\n',
      `--s\r\nContent-Type: text/plain\r\n\r\n${body}\r\n--s\r\nContent-Type: application/pgp-signature\r\n\r\nx\r\n--s--\r\n`,
    ] as const
  const forwarded = (body: string) =>
    [
      'Content-Type: multipart/mixed; boundary=m\r\n',
      `--m\r\nContent-Type: message/rfc822\r\n\r\nFrom : broken\r\nFrom: e@x.test\r\nContent-Type: text/plain\r\nContent-Type: text/html\r\n\r\n${body}\r\n--m--\r\n`,
    ] as const

  test('unchanged: 8-bit text that is signed or forwarded', () => {
    for (const [header, body] of [signed('Grüße'), forwarded('Grüße')]) {
      expect(repair(header, body).bytes.toString().endsWith(body)).toBe(true)
      expect(repair(header, body).smtpUtf8).toBe(false)
    }
  })

  const longLine = (line: number) => ({ problem: 'long_body_line', line, octetsMax: 998 })

  test('refused with its line number: a long line that is signed, forwarded, or outside of parts', () => {
    for (const [header, body] of [signed(LONG), forwarded(LONG)]) {
      const before = `${whole(header, body.slice(0, body.indexOf(LONG)))}`
      // Date and Message-ID are added behind what was given: the number is of the line as it was sent to us.
      expect(problemOf(header, body)).toEqual(longLine(before.split('\r\n').length))
    }
    const outside = `${LONG}\r\n--m\r\n\r\nx\r\n--m--\r\n`
    expect(problemOf('Content-Type: multipart/mixed; boundary=m\r\n', outside)).toEqual(longLine(6))
    expect(
      problemOf('Content-Type: multipart/mixed; boundary=m\r\n', `--m\r\n\r\nx\r\n--m--\r\n${LONG}`),
    ).toEqual(longLine(10))
  })
})

describe('refused', () => {
  const latin = 'Content-Type: text/plain; charset=iso-8859-1\r\n'
  const unencodable = (line: number) => ({ problem: 'unencodable_part', line }) as const
  test.each<[title: string, header: string, body: string, problem: MessageProblem]>([
    ['8-bit text of another charset', latin, 'ü', { problem: 'charset_mismatch', charset: 'iso-8859-1' }],
    ['a long line of an unknown encoding', 'Content-Transfer-Encoding: x-uu\r\n', LONG, unencodable(6)],
    ['8-bit text in base64', 'Content-Transfer-Encoding: base64\r\n', 'ü', unencodable(6)],
    ['two texts in base64', 'Content-Transfer-Encoding: base64\r\n', 'QQ=='.repeat(500), unencodable(6)],
    [
      'a long line below a malformed header',
      'Content-Type: multipart/mixed; boundary=b\r\n',
      `--b\r\nContent-Type text/plain\r\n\r\n${LONG}\r\n--b--\r\n`,
      unencodable(9),
    ],
    [
      '37,500,001 bytes in UTF-8',
      '',
      'é'.repeat(18_750_000),
      { problem: 'too_large', bytesMax: 37_500_000, isText: true },
    ],
    [
      'what grows beyond bounds',
      '',
      '\n'.repeat(30_000_000),
      { problem: 'repaired_too_large', bytesMax: 41_250_000 },
    ],
  ])('refused: %s', (_, header, body, problem) => expect(problemOf(header, body)).toEqual(problem))

  test('accepted: text of another charset that is encoded or ASCII', () => {
    expect(repair(latin, 'plain').bytes.includes('iso-8859-1')).toBe(true)
    expect(
      repair(`${latin}Content-Transfer-Encoding: quoted-printable\r\n`, '=FC').bytes.includes('=FC'),
    ).toBe(true)
  })
})

test('a type of a hundred thousand semicolons is repaired in linear time', () => {
  const semicolons = `${';'.repeat(900)}\r\n `.repeat(150)
  const repairIt = () => repair(`Content-Type: text/plain${semicolons}x\r\n`, 'Grüße')
  expect(passesOf(repairIt, semicolons)).toBeLessThan(PASSES_MAX)
  const { bytes } = repairIt()
  expect(bytes.toString('latin1')).toContain('x;\r\n charset=utf-8\r\n')
})

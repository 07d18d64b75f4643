import fc from 'fast-check'
import { simpleParser } from 'mailparser'
import PostalMime from 'postal-mime'
import { describe, expect, test } from 'vitest'
import { type Mailbox, parseMailbox } from './address.ts'
import { type Attachment, buildMessage, type MessageDraft } from './build.ts'

function mailbox(text: string): Mailbox {
  const parsed = parseMailbox(text)
  if (parsed === null) throw new Error(`no mailbox: ${text}`)
  return parsed
}

const DRAFT: MessageDraft = {
  messageId: '0190a1b2@example.com',
  date: new Date('2026-11-21T02:03:04Z'),
  from: mailbox('Acme <no-reply@example.com>'),
  to: [mailbox('ann@example.org')],
  cc: [],
  replyTo: [],
  subject: 'Your receipt',
  html: '<p>Thanks</p>\n',
  text: 'Thanks\n',
  headers: [],
  attachments: [],
}

function attachment(fields: Partial<Attachment> = {}): Attachment {
  const content = Buffer.from('some content')
  return { filename: 'a.bin', contentType: 'application/octet-stream', contentId: null, content, ...fields }
}

/** The message as two independent parsers read it, with addresses in one shape. */
interface Reading {
  subject: string
  from: [string, string][]
  to: [string, string][]
  html: string
  text: string
  attachments: { filename: string; contentType: string; content: Buffer }[]
}

async function readWithPostalMime(bytes: Buffer): Promise<Reading> {
  const email = await PostalMime.parse(bytes)
  const flat = (list: { name: string; address?: string | undefined }[] | undefined) =>
    (list ?? []).map(({ name, address }): [string, string] => [name, address ?? ''])
  return {
    subject: email.subject ?? '',
    from: flat(email.from && [email.from]),
    to: flat(email.to),
    html: email.html ?? '',
    text: email.text ?? '',
    attachments: email.attachments.map((part) => ({
      filename: part.filename ?? '',
      contentType: part.mimeType,
      content: Buffer.from(part.content as ArrayBuffer),
    })),
  }
}

async function readWithMailparser(bytes: Buffer): Promise<Reading> {
  const mail = await simpleParser(bytes, { skipHtmlToText: true, skipTextToHtml: true, skipImageLinks: true })
  const flat = (list: typeof mail.to | typeof mail.from) =>
    [list ?? []]
      .flat()
      .flatMap(({ value }) => value.map(({ name, address }): [string, string] => [name, address ?? '']))
  return {
    subject: mail.subject ?? '',
    from: flat(mail.from),
    to: flat(mail.to),
    html: mail.html === false ? '' : mail.html,
    text: mail.text ?? '',
    attachments: mail.attachments.map((part) => ({
      filename: part.filename ?? '',
      contentType: part.contentType,
      content: part.content,
    })),
  }
}

const READERS = [
  ['postal-mime', readWithPostalMime],
  ['mailparser', readWithMailparser],
] as const

/** Line ends as LF, without the line break that ends a part: parsers disagree about which part it belongs to. */
function body(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(/\n+$/, '')
}

function headerOf(bytes: Buffer): string {
  return bytes.toString('latin1', 0, bytes.indexOf('\r\n\r\n') + 2)
}

/** Invariants of every message on the wire. */
function expectWireRules(bytes: Buffer, smtpUtf8 = false): void {
  const text = bytes.toString('latin1')
  expect(text.endsWith('\r\n')).toBe(true)
  expect(text).not.toMatch(/\r(?!\n)|(?<!\r)\n|\0/)
  expect(Math.max(...text.split('\r\n').map((line) => line.length))).toBeLessThanOrEqual(998)
  if (!smtpUtf8) expect(text).not.toMatch(/[\u0080-\u00ff]/)
  const header = headerOf(bytes)
  for (const name of ['From', 'To', 'Subject', 'Date', 'Message-ID', 'MIME-Version', 'Content-Type']) {
    expect(header.match(new RegExp(`^${name}:`, 'gim'))).toHaveLength(1)
  }
  expect(header).not.toMatch(/^bcc:/im)
  for (const word of header.match(/=\?UTF-8\?[QB]\?[^?]*\?=/g) ?? [])
    expect(word.length).toBeLessThanOrEqual(75)
}

describe('headers are read back unchanged', () => {
  const SUBJECTS = [
    'Plain',
    'Grüße an alle',
    '漢字かな交じり文の件名です。長い件名は折り返されなければなりません。そして正しく復元されます。',
    '😀'.repeat(998),
    'x'.repeat(998),
    `${'word '.repeat(199)}end`,
    `${'wörd '.repeat(199)}end`,
    '=?utf-8?q?=0d=0a?=',
    'Half =?utf-8?B? open',
    '%0d%0aBcc: x@example.org',
    'equals = question ? underscore _ tab',
    'a  b   c',
    `${'a'.repeat(70)}  ${'b'.repeat(70)}`,
    'quotes "and" \\backslash\\ (comment) <angle>',
    'e\u0301 combining, \u200d joiner, \u00a0nbsp',
    'שלום עולם',
  ]
  for (const [reader, read] of READERS) {
    test.each(SUBJECTS)(`the subject is read by ${reader}: %j`, async (subject) => {
      const { bytes } = buildMessage({ ...DRAFT, subject })
      expectWireRules(bytes)
      expect((await read(bytes)).subject).toBe(subject)
    })

    test.each([
      'Acme',
      'Acme, Inc.',
      'Ann "A" Lee',
      'Back\\slash',
      'J. Smith (Sales) <x@y.z>',
      'Søren Kierkegaard',
      '株式会社テスト'.repeat(10),
      '=?utf-8?q?=0d=0a?=',
      'a@b.c',
      'Two  spaces',
      `${'long '.repeat(50)}name`,
      'x'.repeat(994),
      "O'Neil; group: x",
    ])(`the display name is read by ${reader}: %j`, async (name) => {
      const { bytes } = buildMessage({
        ...DRAFT,
        from: { ...DRAFT.from, name },
        to: [{ ...mailbox('ann@example.org'), name }, mailbox('bob@example.org')],
      })
      expectWireRules(bytes)
      const reading = await read(bytes)
      expect(reading.from).toEqual([[name, 'no-reply@example.com']])
      expect(reading.to).toEqual([
        [name, 'ann@example.org'],
        ['', 'bob@example.org'],
      ])
    })

    test.each([
      ['X-Plain', 'one two'],
      ['X-Umlaut', 'Grüße'],
      ['X-Long', 'word '.repeat(400).trim()],
      ['List-Unsubscribe', `<https://example.com/u/${'a'.repeat(300)}>, <mailto:u@example.com>`],
      ['X'.repeat(76), 'ü'.repeat(100)],
    ])(`the custom header %s is read by ${reader}`, async (name, value) => {
      const { bytes } = buildMessage({ ...DRAFT, headers: [[name, value]] })
      expectWireRules(bytes)
      const line = headerOf(bytes)
        .replace(/\r\n(?=[ \t])/g, '')
        .split('\r\n')
        .find((field) => field.startsWith(`${name}:`))
      const subject = Buffer.from(`Subject:${line?.slice(name.length + 1)}\r\n\r\n`)
      expect((await read(subject)).subject).toBe(value)
    })

    test.each([
      'invoice.pdf',
      'my invoice (1).pdf',
      'Rechnung für Jörg.pdf',
      '請求書.pdf',
      `${'長い名前'.repeat(60)}.pdf`,
      `${'n'.repeat(251)}.pdf`,
      'semi;colon.pdf',
      'quo"te.pdf',
      "apo'strophe.pdf",
      '100% sure.pdf',
      '😀.png',
      'a=b.txt',
      '*star*.txt',
      'comma, and.txt',
    ])(`the file name is read by ${reader}: %j`, async (filename) => {
      const { bytes } = buildMessage({ ...DRAFT, attachments: [attachment({ filename })] })
      expectWireRules(bytes)
      expect((await read(bytes)).attachments[0]?.filename).toBe(filename)
    })

    test(`150 recipients are read by ${reader}, on short lines`, async () => {
      const to = Array.from({ length: 150 }, (_, no) =>
        mailbox(`Person Ünique ${no} <person.${no}@example.org>`),
      )
      const { bytes } = buildMessage({ ...DRAFT, to })
      expectWireRules(bytes)
      expect(
        Math.max(
          ...headerOf(bytes)
            .split('\r\n')
            .map((line) => line.length),
        ),
      ).toBeLessThanOrEqual(78)
      expect((await read(bytes)).to).toEqual(to.map(({ name, address }) => [name, address]))
    })

    test(`addresses in UTF-8 make a message of RFC 6532, read by ${reader}`, async () => {
      const to = [mailbox('Jörg Müller <jörg@bücher.example>'), mailbox('用户@例え.jp')]
      const { bytes, smtpUtf8 } = buildMessage({ ...DRAFT, to, subject: 'Grüße '.repeat(40).trim() })
      expect(smtpUtf8).toBe(true)
      expectWireRules(bytes, true)
      const reading = await read(bytes)
      expect(reading.subject).toBe('Grüße '.repeat(40).trim())
      expect(reading.to.map(([name]) => name)).toEqual(['Jörg Müller', ''])
      expect(bytes.toString()).toContain('jörg@xn--bcher-kva.example')
    })
  }
})

describe('bodies are read back unchanged', () => {
  const BODIES: [string, string][] = [
    ['plain', 'Hello\nworld'],
    ['several line ends', 'a\r\nb\rc\nd\r\n\r\ne'],
    ['boundary-like lines', '--=_0190\n--=_x_a--\nContent-Type: text/html\n\n--\n'],
    ['lone dots', '.\n..\n.\r\n.a'],
    ['From lines', 'From me\n>From you\nFrom '],
    ['a long line', 'x'.repeat(10_000)],
    ['998 characters and 999', `${'x'.repeat(998)}\n${'y'.repeat(999)}`],
    ['umlauts', 'Grüße aus Köln = schön\n'.repeat(30)],
    ['Japanese', '漢字かな交じり文\n'.repeat(200)],
    ['spaces at line ends', 'a \nb\t\n ü \nc '],
    ['NUL', 'a\0b'],
    ['encoded words', '=?utf-8?q?=0d=0a?= =0D=0A %0d%0a'],
    ['emoji beyond the BMP', '😀👩‍👩‍👧'.repeat(100)],
  ]
  for (const [reader, read] of READERS) {
    test.each(BODIES)(`%s, read by ${reader}`, async (_, text) => {
      const html = `<pre>${text}</pre>`
      const attachments = [attachment({ content: Buffer.from(text) })]
      for (const shape of [
        { text, html },
        { text, html: null },
        { text: null, html },
        { text, html, attachments },
      ]) {
        const { bytes } = buildMessage({ ...DRAFT, ...shape })
        expectWireRules(bytes)
        const reading = await read(bytes)
        if (shape.text !== null) expect(body(reading.text)).toBe(body(text.replace(/\r(?!\n)/g, '\n')))
        if (shape.html !== null) expect(body(reading.html)).toBe(body(html.replace(/\r(?!\n)/g, '\n')))
        if (attachments === shape.attachments) expect(reading.attachments[0]?.content.toString()).toBe(text)
      }
    })
  }

  test('a lone surrogate becomes U+FFFD', async () => {
    const { bytes } = buildMessage({ ...DRAFT, text: 'a\ud800b', subject: 'c\udfffd' })
    expectWireRules(bytes)
    const reading = await readWithPostalMime(bytes)
    expect(body(reading.text)).toBe('a\ufffdb')
    expect(reading.subject).toBe('c\ufffdd')
  })
})

describe('the structure', () => {
  const outline = (bytes: Buffer) =>
    (bytes.toString('latin1').match(/^Content-Type: [a-z]+\/[a-z.-]+/gm) ?? []).map((line) => line.slice(14))

  test('text only is a single part, in 7bit if it is ASCII', () => {
    const { bytes } = buildMessage({ ...DRAFT, html: null })
    expect(outline(bytes)).toEqual(['text/plain'])
    expect(bytes.toString()).toContain('Content-Transfer-Encoding: 7bit\r\n\r\nThanks\r\n')
  })

  test('empty text with HTML: no text part', () => {
    expect(outline(buildMessage({ ...DRAFT, text: '' }).bytes)).toEqual(['text/html'])
  })

  test('text and html, an inline image and a file nest as alternative in related in mixed', async () => {
    const content = Buffer.from(Array.from({ length: 1000 }, (_, at) => at & 255))
    const { bytes } = buildMessage({
      ...DRAFT,
      html: '<img src="cid:logo@x">',
      attachments: [
        attachment({ filename: 'logo.png', contentType: 'image/png', contentId: 'logo@x', content }),
        attachment({ content: Buffer.alloc(0) }),
      ],
    })
    expectWireRules(bytes)
    expect(outline(bytes)).toEqual([
      'multipart/mixed',
      'multipart/related',
      'multipart/alternative',
      'text/plain',
      'text/html',
      'image/png',
      'application/octet-stream',
    ])
    for (const [, read] of READERS) {
      const { attachments } = await read(bytes)
      expect(attachments.map((part) => part.content)).toEqual([content, Buffer.alloc(0)])
    }
    const mail = await PostalMime.parse(bytes)
    expect(mail.attachments[0]).toMatchObject({ contentId: '<logo@x>', disposition: 'inline', related: true })
  })

  test('only Bcc recipients: To is an empty group', () => {
    const { bytes } = buildMessage({ ...DRAFT, to: [] })
    expect(headerOf(bytes)).toContain('To: undisclosed-recipients:;\r\n')
    expectWireRules(bytes)
  })

  test('boundaries differ from message to message', () => {
    const boundary = () => /boundary="([^"]+)"/.exec(buildMessage(DRAFT).bytes.toString())?.[1]
    expect(boundary()).not.toBe(boundary())
  })

  test('Date and Message-ID have the form of RFC 5322', () => {
    const header = headerOf(buildMessage(DRAFT).bytes)
    expect(header).toContain('Date: Sat, 21 Nov 2026 02:03:04 +0000\r\n')
    expect(header).toContain('Message-ID: <0190a1b2@example.com>\r\n')
  })
})

describe('rejected or made harmless', () => {
  test.each(['Bcc', 'from', 'CONTENT-TYPE', 'Resent-From', 'X: y', 'X\r\nBcc', ''])(
    'the custom header %j throws',
    (name) => {
      expect(() => buildMessage({ ...DRAFT, headers: [[name, 'x']] })).toThrow()
    },
  )

  test('a line break or NUL that was not rejected earlier does not end a header', () => {
    const evil = 'a\r\nBcc: victim@example.org\r\n\r\n\0<b>'
    const { bytes } = buildMessage({
      ...DRAFT,
      subject: evil,
      from: { ...DRAFT.from, name: evil },
      attachments: [attachment({ filename: evil })],
    })
    expectWireRules(bytes)
    expect(bytes.toString()).not.toMatch(/^Bcc/m)
  })
})

test('any text in subject, name, file name and bodies is unchanged for two parsers', async () => {
  // Parsers trim header text and drop a byte order mark; neither is a loss of ours.
  const words = fc
    .string({
      unit: fc.oneof(
        fc.constantFrom(' ', '=', '?', '_', '"', '\\', ',', ';', 'ü', '😀', '漢'),
        fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
      ),
      minLength: 1,
      maxLength: 200,
    })
    .map((text) =>
      text
        .replace(/[\p{Cc}\p{Zl}\p{Zp}\ufeff]/gu, '')
        .replace(/\s+/g, ' ')
        .trim(),
    )
    .filter((text) => text !== '')
  const lines = fc
    .string({ unit: 'binary', maxLength: 3000 })
    .map((text) => text.replaceAll('\ufeff', '').replace(/\r\n?/g, '\n'))
  await fc.assert(
    fc.asyncProperty(words, lines, fc.boolean(), async (header, text, alone) => {
      const { bytes } = buildMessage({
        ...DRAFT,
        subject: header,
        from: { ...DRAFT.from, name: header },
        text,
        html: alone ? null : `<p>${text}</p>`,
      })
      expectWireRules(bytes)
      for (const [, read] of READERS) {
        const reading = await read(bytes)
        expect(reading.subject).toBe(header)
        expect(reading.from[0]?.[0]).toBe(header)
        expect(body(reading.text)).toBe(body(text))
        if (!alone) expect(body(reading.html)).toBe(`<p>${text}</p>`)
      }
    }),
    { numRuns: 150 },
  )
})

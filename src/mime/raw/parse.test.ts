import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PASSES_MAX, passesOf } from '../../../test/support/passes.ts'
import { parseMailbox } from '../address.ts'
import { buildMessage, type MessageDraft } from '../build.ts'
import { parseAttachments, parseHeader, readTexts } from './parse.ts'

const readMessage = async (bytes: Buffer) => ({
  ...parseHeader(bytes),
  ...readTexts(bytes),
  attachments: parseAttachments(bytes),
})

function draft(fields: Partial<MessageDraft>): MessageDraft {
  const from = parseMailbox('Søren <no-reply@example.com>')
  const to = parseMailbox('"Lee, Ann" <ann@example.org>')
  if (from === null || to === null) throw new Error('no mailbox')
  return {
    messageId: 'x@example.com',
    date: new Date('2026-11-21T02:03:04Z'),
    from,
    to: [to],
    cc: [to],
    replyTo: [],
    subject: 'Grüße',
    html: null,
    text: null,
    headers: [],
    attachments: [],
    ...fields,
  }
}

const TEXTS = [
  'Hello',
  'Hello\n',
  'Hello\n\n\n',
  'Two\nlines',
  '\n\nHello',
  'Grüße aus Köln',
  'Grüße aus Köln\n',
  '漢字かな交じり文',
  '漢字かな交じり文\n',
  'x'.repeat(5000),
  `${'漢'.repeat(5000)}\n\n`,
  'nul\0nul',
  'Content-Type: text/html\nContent-Transfer-Encoding: base64\n\nx',
  ' spaces \n\t ',
]

test.each(TEXTS)('text and HTML are read back unchanged: %.40j', async (text) => {
  const html = `<p>${text}`
  const attachments = [
    { filename: 'a.txt', contentType: 'text/plain', contentId: null, content: Buffer.from('own\r\n') },
  ]
  for (const shape of [
    { text },
    { html },
    { text, html },
    { text, attachments },
    { text, html, attachments },
  ]) {
    const message = await readMessage(buildMessage(draft(shape)).bytes)
    expect(message.text).toBe('text' in shape ? text : null)
    expect(message.html).toBe('html' in shape ? html : null)
    expect(message.attachments.map(({ content }) => content.toString())).toEqual(
      'attachments' in shape ? ['own\r\n'] : [],
    )
  }
})

test('any text and HTML are read back unchanged', async () => {
  // The decoder of the platform drops a byte order mark at the start.
  const text = fc
    .string({ unit: 'binary', minLength: 1, maxLength: 2000 })
    .map((raw) => raw.replaceAll('\ufeff', ''))
  await fc.assert(
    fc.asyncProperty(text, text, async (plain, html) => {
      const message = await readMessage(buildMessage(draft({ text: plain, html: `<p>${html}` })).bytes)
      const lf = (given: string) => given.replace(/\r\n?/g, '\n')
      expect(message.text ?? '').toBe(lf(plain))
      expect(message.html).toBe(lf(`<p>${html}`))
    }),
    { numRuns: 150 },
  )
})

test('addresses, subject, headers and attachments are read back', async () => {
  const content = Buffer.from([0, 1, 2, 255])
  const attachments = [
    { filename: 'logo.png', contentType: 'image/png', contentId: 'logo@x', content },
    {
      filename: '請求書.eml',
      contentType: 'application/octet-stream',
      contentId: null,
      content: Buffer.alloc(0),
    },
  ]
  const { bytes } = buildMessage(
    draft({ html: '<img src="cid:logo@x">', headers: [['X-Ref', 'a b']], attachments }),
  )
  const message = await readMessage(bytes)
  expect(message).toMatchObject({
    messageId: 'x@example.com',
    subject: 'Grüße',
    from: [{ name: 'Søren', address: 'no-reply@example.com' }],
    to: [{ name: 'Lee, Ann', address: 'ann@example.org' }],
    cc: [{ name: 'Lee, Ann', address: 'ann@example.org' }],
    replyTo: [],
    attachments: [
      { filename: 'logo.png', contentType: 'image/png', contentId: 'logo@x', size: 4, content },
      { filename: '請求書.eml', contentType: 'application/octet-stream', contentId: null, size: 0 },
    ],
  })
  expect(message.headers).toContainEqual(['X-Ref', 'a b'])
})

test("another program's message is read, with its groups flattened", async () => {
  const raw =
    'From: a@b.c\nTo: Team: x@y.z, "Q" <q@y.z>;\nContent-Type: text/plain; charset=iso-8859-1\n\nGr\u00fc\u00dfe\n'
  const message = await readMessage(Buffer.from(raw, 'latin1'))
  expect(message.to).toEqual([
    { name: '', address: 'x@y.z' },
    { name: 'Q', address: 'q@y.z' },
  ])
  expect(message).toMatchObject({ text: 'Grüße', html: null, subject: null, messageId: null })
})

test.each([
  ['nothing', ''],
  ['only a line end', '\r\n'],
  ['no header', 'hello'],
])('%s is read as an empty message or text', async (_, raw) => {
  await expect(readMessage(Buffer.from(raw))).resolves.toMatchObject({ html: null, attachments: [] })
})

test('millions of lines are read with bounded memory, not as millions of objects', () => {
  const text = `From: a@b.c\r\n\r\n${'\r\n'.repeat(4_000_000)}`
  const before = process.memoryUsage().rss
  expect(readTexts(Buffer.from(text)).text).toHaveLength(3_999_999)
  expect(process.memoryUsage().rss - before).toBeLessThan(300_000_000)
})

test.each(['From', 'To', 'Reply-To', 'Subject'])(
  'a %s of many words in base64 is read in linear time',
  (name) => {
    const header = `${name}:${'\r\n =?a?b?QUFBQUFBQUFBQUFBQUFB?='.repeat(8000)} <a@b.test>\r\n`
    // Quadratic decoding of this value takes only a thousand passes.
    const max = PASSES_MAX / 4
    expect(passesOf(() => parseHeader(Buffer.from(header)), header, max)).toBeLessThan(max)
    const written = header
      .slice(name.length + 1)
      .replaceAll('\r\n', '')
      .trim()
    expect(parseHeader(Buffer.from(header)).headers).toEqual([[name, written]])
  },
)

test.each([
  ['a part of another charset', 'Content-Type: text/plain; charset=iso-8859-1', 'Gr\u00fc\u00dfe', 'Grüße'],
  ['an unknown charset', 'Content-Type: text/plain; charset=nonsense', '\u0080', '€'],
  ['quoted-printable', 'Content-Transfer-Encoding: quoted-printable', 'a=3D=\r\nb =20=\r\n=zz', 'a=b  =zz'],
  ['an unknown encoding', 'Content-Transfer-Encoding: x-uu', 'abc', 'abc'],
  ['an unreadable structure', 'Content-Type: multipart/mixed', 'abc', null],
])('%s is read', (_, field, body, text) => {
  expect(readTexts(Buffer.from(`From: a@b.c\r\n${field}\r\n\r\n${body}\r\n`, 'latin1')).text).toBe(text)
})

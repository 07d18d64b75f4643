import { createServer } from 'node:http'
import PostalMime from 'postal-mime'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ListeningServer, listenHere } from '../support/listen-here.ts'
import type { Sender } from '../support/sendwright.ts'
import { shareSendwright } from '../support/shared-sendwright.ts'

let ann: Sender
let files: ListeningServer
let base: string
const requested: string[] = []

beforeAll(async () => {
  const service = await shareSendwright('direct')
  ann = await service.givenSender()
  const server = createServer((request, response) => {
    requested.push(request.url ?? '')
    if (request.url === '/report%20one.pdf') {
      response.setHeader('content-type', 'application/pdf; charset=binary')
      response.end('%PDF-')
    } else if (request.url === '/moved') response.writeHead(302, { location: '/report%20one.pdf' }).end()
    else if (request.url === '/sloppy.pdf') response.setHeader('content-type', 'pdf').end('%PDF-')
    else if (request.url === '/page') response.setHeader('content-type', 'message/rfc822').end('From: x')
    else if (request.url === '/endless') {
      const write = () => {
        while (!response.destroyed && response.write(Buffer.alloc(1 << 20)));
      }
      response.on('drain', write)
      write()
    } else if (request.url === '/cut') {
      response.writeHead(200, { 'content-length': '100' })
      response.write('half', () => response.destroy())
    } else response.writeHead(404).end()
  })
  files = await listenHere(server)
  base = files.url
})
afterAll(() => files.close())

const HELLO = Buffer.from('hello')
const LATER = new Date(Date.now() + 24 * 3_600_000).toISOString()

const post = (...attachments: Record<string, unknown>[]) =>
  ann.post('/emails', ann.email({ attachments, scheduled_at: LATER }))

/** Returns the attachments as an independent parser reads them. */
async function readBack(reply: { status: number; text: string; json: { id: string } }) {
  if (reply.status !== 202) throw new Error(reply.text)
  const raw = await ann.get(`/emails/${reply.json.id}/raw`)
  const { attachments } = await new PostalMime().parse(raw.text)
  return attachments.map(({ filename, mimeType, contentId, content }) => ({
    filename,
    mimeType,
    contentId: contentId ?? null,
    content: Buffer.from(content as ArrayBuffer).toString(),
  }))
}

describe('accepted', () => {
  const cases: [title: string, attachment: Record<string, unknown>, filename: string, type: string][] = [
    ['base64', { filename: 'a.txt', content: 'aGVsbG8=' }, 'a.txt', 'text/plain'],
    [
      'base64 without padding and with white space',
      { filename: 'a', content: ' aGVs\r\nbG8 ' },
      'a',
      'application/octet-stream',
    ],
    ['a Buffer as JSON', { filename: 'a.png', content: HELLO.toJSON() }, 'a.png', 'image/png'],
    [
      'a separate type',
      { filename: 'a', content: 'aGVsbG8', content_type: 'Image/SVG+xml' },
      'a',
      'image/svg+xml',
    ],
    [
      'a name with folders',
      { filename: '../../etc/passwd', content: 'aGVsbG8=' },
      'passwd',
      'application/octet-stream',
    ],
    ['a Windows path', { filename: 'C:\\temp\\x.csv', content: 'aGVsbG8=' }, 'x.csv', 'text/csv'],
    ['an empty type', { filename: 'a.csv', content: 'aGVsbG8=', content_type: '' }, 'a.csv', 'text/csv'],
    [
      'a type with parameters',
      {
        filename: 'a.csv',
        content: 'aGVsbG8=',
        content_type: 'Text/CSV; header=present; charset=utf-8',
      },
      'a.csv',
      'text/csv',
    ],
    [
      'a message as octets',
      { filename: 'a.eml', content: 'aGVsbG8=', content_type: 'Message/RFC822' },
      'a.eml',
      'application/octet-stream',
    ],
    ['a name of a message', { filename: 'a.eml', content: 'aGVsbG8=' }, 'a.eml', 'application/octet-stream'],
    ['a drive letter', { filename: 'C:x.csv', content: 'aGVsbG8=' }, 'x.csv', 'text/csv'],
    [
      'a name that turns the reading direction',
      { filename: 'exe\u202egpj.bat', content: 'aGVsbG8=' },
      'exegpj.bat',
      'application/x-msdownload',
    ],
    [
      'a name beyond ASCII',
      { filename: 'Übersicht 😀.txt', content: 'aGVsbG8=' },
      'Übersicht 😀.txt',
      'text/plain',
    ],
    [
      'a name of 255 characters',
      { filename: `${'x'.repeat(251)}.txt`, content: 'aGVsbG8=' },
      `${'x'.repeat(251)}.txt`,
      'text/plain',
    ],
  ]
  for (const [title, attachment, filename, mimeType] of cases) {
    test(`202 for ${title}`, async () => {
      expect(await readBack(await post(attachment))).toEqual([
        { filename, mimeType, contentId: null, content: 'hello' },
      ])
    })
  }

  test('202 for a calendar as text, a small and a large one', async () => {
    for (const padding of ['', `X-PAD:${'x'.repeat(100_000)}\r\n`]) {
      const content = `BEGIN:VCALENDAR\r\nSUMMARY:Überblick\r\n${padding}END:VCALENDAR\r\n`
      expect(await readBack(await post({ filename: 'a.ics', content }))).toEqual([
        {
          filename: 'a.ics',
          mimeType: 'text/calendar',
          contentId: null,
          content: content.replaceAll('\r\n', '\n'),
        },
      ])
    }
  })

  test('202 for a URL whose server gives no media type, and for a blank path beside content', async () => {
    expect(await readBack(await post({ path: `${base}/sloppy.pdf` }))).toMatchObject([
      { filename: 'sloppy.pdf', mimeType: 'application/pdf' },
    ])
    expect((await post({ filename: 'a.txt', content: 'aGVsbG8=', path: '' })).status).toBe(202)
  })

  test('202 for a URL that redirects', async () => {
    expect(await readBack(await post({ path: `${base}/moved` }))).toMatchObject([
      { filename: 'report one.pdf', content: '%PDF-' },
    ])
  })

  test('202 for a URL, with the name and type that the server gives', async () => {
    expect(await readBack(await post({ path: `${base}/report%20one.pdf` }))).toEqual([
      { filename: 'report one.pdf', mimeType: 'application/pdf', contentId: null, content: '%PDF-' },
    ])
  })

  test('202 for an inline image, with the same content id with and without brackets', async () => {
    const image = { filename: 'logo.png', content: 'aGVsbG8=', content_id: '<logo@acme>' }
    const reply = await ann.post(
      '/emails',
      ann.email({ html: '<img src="cid:logo@acme">', attachments: [image], scheduled_at: LATER }),
    )
    expect(await readBack(reply)).toMatchObject([{ contentId: '<logo@acme>' }])
    expect((await ann.get(`/emails/${reply.json.id}`)).json.attachments[0].content_id).toBe('logo@acme')
  })

  test('202 for an empty file, and for ten files', async () => {
    expect(await readBack(await post({ filename: 'empty.txt', content: '' }))).toMatchObject([
      { content: '' },
    ])
    const ten = Array.from({ length: 10 }, (_, i) => ({ filename: `${i}.txt`, content: 'aGVsbG8=' }))
    expect(await readBack(await post(...ten))).toHaveLength(10)
  })
})

describe('rejected', () => {
  const file = { filename: 'a.txt', content: 'aGVsbG8=' }
  const name = 'The attachments.0.filename field must be a file name without control characters.'
  const long = 'The attachments.0.filename field must not be greater than 255 characters.'
  const base64 = 'The attachments.0.content field must be valid base64.'
  const type =
    'The attachments.0.content_type field must be a media type such as image/png or text/calendar; method=REQUEST.'
  const cid =
    'The attachments.0.content_id field must be 1 to 128 printable ASCII characters without spaces or angle brackets.'
  const cases: [title: string, attachment: Record<string, unknown>, field: string, message: string][] = [
    [
      'no content',
      { filename: 'a' },
      'content',
      'The attachments.0.content field is required, or else attachments.0.path.',
    ],
    [
      'content and path',
      { ...file, path: 'http://a.test/' },
      'content',
      'The attachments.0.content field is required, or else attachments.0.path.',
    ],
    ['no filename', { content: 'aGVsbG8=' }, 'filename', 'The attachments.0.filename field is required.'],
    ['CR in the filename', { ...file, filename: 'a\rb' }, 'filename', name],
    ['LF in the filename', { ...file, filename: 'a\nb' }, 'filename', name],
    [
      'NUL in the filename',
      { ...file, filename: 'a\0b' },
      'filename',
      'The attachments.0.filename field must not contain the character U+0000.',
    ],
    ['a filename of 300 characters', { ...file, filename: 'x'.repeat(300) }, 'filename', long],
    ['a filename of folders alone', { ...file, filename: '../../' }, 'filename', name],
    ['dots as filename', { ...file, filename: '..' }, 'filename', name],
    [
      'an empty filename',
      { ...file, filename: '' },
      'filename',
      'The attachments.0.filename field is required.',
    ],
    ['text that is not base64', { ...file, content: 'hello!' }, 'content', base64],
    ['the URL-safe alphabet', { ...file, content: '-_-_' }, 'content', base64],
    ['base64 cut short', { ...file, content: 'aGVsb' }, 'content', base64],
    ['padding in the middle', { ...file, content: 'aGVs=bG8=' }, 'content', base64],
    ['too much padding', { ...file, content: 'aGVsbG8==' }, 'content', base64],
    [
      'a Buffer with 256',
      { ...file, content: { type: 'Buffer', data: [256] } },
      'content',
      'The attachments.0.content field must hold whole numbers from 0 to 255.',
    ],
    ['a parameter twice', { ...file, content_type: 'text/plain; a=b; a=c' }, 'content_type', type],
    ['CRLF in the type', { ...file, content_type: 'text/plain\r\nX: y' }, 'content_type', type],
    ['CRLF in the content id', { ...file, content_id: 'a\r\nX: y' }, 'content_id', cid],
    ['brackets inside the content id', { ...file, content_id: 'a>b' }, 'content_id', cid],
    ['a content id of 129', { ...file, content_id: 'x'.repeat(129) }, 'content_id', cid],
    [
      'file:',
      { path: 'file:///etc/passwd' },
      'path',
      'The attachments.0.path field must be an http or https URL.',
    ],
    [
      'data:',
      { path: 'data:text/plain,hi' },
      'path',
      'The attachments.0.path field must be an http or https URL.',
    ],
    [
      'a UNC path',
      { path: '\\\\host\\share\\a.txt' },
      'path',
      'The attachments.0.path field must be an http or https URL.',
    ],
    [
      'a login in the URL',
      { path: 'http://u:p@a.test/' },
      'path',
      'The attachments.0.path field must be an http or https URL.',
    ],
  ]
  for (const [title, attachment, field, message] of cases) {
    test(`422 for ${title}`, async () => {
      const { status, json } = await post(attachment)
      expect(status).toBe(422)
      expect(json.errors[`attachments.0.${field}`]).toEqual([message])
    })
  }

  for (const data of [[-1], [1.5], ['1'], [null]]) {
    test(`422 for a Buffer that contains ${JSON.stringify(data[0])}`, async () => {
      const { status, json } = await post({ ...file, content: { type: 'Buffer', data } })
      expect(status).toBe(422)
      expect(Object.keys(json.errors)[0]).toMatch(/^attachments\.0\.content/)
    })
  }

  test('422 with a hint for text that is not base64', async () => {
    expect((await post({ ...file, content: 'hello!' })).json.hint).toMatch(
      /^Encode the bytes of the file, as `base64 /,
    )
    expect((await post({ ...file, content_type: 'x' })).json.hint).toBeUndefined()
  })

  test('422 for eleven files', async () => {
    const { json } = await post(...Array.from({ length: 11 }, () => file))
    expect(json.message).toBe('The attachments field must not have more than 10 items.')
  })

  const fetched: [title: string, path: string, end: string][] = [
    ['a file that is not there', '/none', 'could not be fetched: the server answered 404.'],
    ['a body without end', '/endless', 'could not be fetched: it is larger than 37500000 bytes.'],
    [
      'a body that breaks off',
      '/cut',
      'could not be fetched: no server at a public address returned it in time.',
    ],
  ]
  for (const [title, path, end] of fetched) {
    test(`422 for ${title}`, async () => {
      requested.length = 0
      const { status, json } = await post({ path: `${base}${path}` })
      expect([status, json.message]).toEqual([422, `The attachments.0.path field ${end}`])
      expect(requested).toEqual([path])
    })
  }

  test('202 for a fetched message, as octets', async () => {
    const [file] = await readBack(await post({ path: `${base}/page` }))
    expect(file).toMatchObject({ filename: 'page', mimeType: 'application/octet-stream', content: 'From: x' })
  })

  test('422 for two attachments with one content_id', async () => {
    const image = { filename: 'a.png', content: 'aGVsbG8=', content_id: 'logo' }
    const { status, json } = await post(image, { ...image, content_id: '<logo>' })
    const message = 'The attachments.1.content_id field is that of another attachment.'
    expect([status, json.errors]).toEqual([422, { 'attachments.1.content_id': [message] }])
  })

  // The tables of test/contract attach a file that fits, to a message that does not.
  test('422 for files that together exceed the limit', async () => {
    // 37,500,002 bytes: the second file has the last two.
    const files = ['A'.repeat(50_000_000), 'AAA='].map((content) => ({ filename: 'a', content }))
    const { status, json } = await post(...files)
    expect(status).toBe(422)
    expect(json.message).toBe('The attachments together must not be greater than 37500000 bytes.')
  })
})

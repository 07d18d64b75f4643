import { expect } from 'vitest'
import { inDays } from '../known.ts'
import {
  accepts,
  cases,
  checkAnswer,
  type Expected,
  proof,
  type Request,
  refuses,
  refusesField,
  required,
  type Section,
  tooLong,
} from '../row.ts'
import type { Scene } from '../scene.ts'

const withField =
  (field: string) =>
  (value: unknown, { sender }: Scene): Request => ['POST /emails', sender.email({ [field]: value })]

const attached = (file: Record<string, unknown>, { sender }: Scene): Request => [
  'POST /emails',
  sender.email({ attachments: [{ filename: 'a.txt', ...file }] }),
]
const showsFile = (file: object) => accepts({ attachments: [file] })
const tagged = (tag: Record<string, unknown>, { sender }: Scene): Request => [
  'POST /emails',
  sender.email({ tags: [{ name: 'a', value: 'b', ...tag }] }),
]
const withHeader = (name: string, { sender }: Scene): Request => [
  'POST /emails',
  sender.email({ headers: { [name]: 'x' } }),
]

/** Names of the sentence; `Content-*` and `Resent-*` by two examples each. */
const OWN_HEADERS = [
  ...['From', 'To', 'Cc', 'Bcc', 'Subject', 'MIME-Version', 'DKIM-Signature'],
  ...['Received', 'Sender', 'Reply-To', 'Content-Type', 'Content-Disposition'],
  ...['Resent-From', 'Resent-Date', 'subject', 'CONTENT-ID'],
]

/** The email as it was sent, once it is accepted. */
async function rawOf(scene: Scene, fields: Record<string, unknown>): Promise<string> {
  const reply = await scene.ask('POST /emails', scene.sender.email({ ...fields, scheduled_at: inDays(1) }))
  await checkAnswer(reply, accepts(), scene)
  return (await scene.ask(`GET /emails/${reply.json.id}/raw`)).text
}

const scheduledIs =
  (time: string): Expected =>
  (reply, scene) =>
    checkAnswer(reply, accepts({ status: 'scheduled', scheduled_at: time }), scene)
/** A year ahead at most, so that the text stays a future one for as long as it is used. */
const DAY = inDays(30).slice(0, 10)

async function scheduled(scene: Scene): Promise<string> {
  const reply = await scene.ask('POST /emails', scene.sender.email({ scheduled_at: inDays(1) }))
  await checkAnswer(reply, accepts(), scene)
  return reply.json.id
}

async function sent(scene: Scene): Promise<string> {
  const id = await scene.sender.send()
  await scene.sender.settled(id)
  return id
}

export const emailContentSections: readonly Section[] = [
  {
    document: 'decisions.md',
    heading: '5. Emails: attachments',
    rows: [
      ...cases('`filename` (base name is taken; at most 255)', attached, [
        ['a path', { filename: '../../etc/a.txt', content: 'YQ==' }, showsFile({ filename: 'a.txt' })],
        [
          'a path of Windows',
          { filename: 'C:\\x\\a.txt', content: 'YQ==' },
          showsFile({ filename: 'a.txt' }),
        ],
        ['255', { filename: '😀'.repeat(255), content: 'YQ==' }, 202],
        ['256', { filename: '😀'.repeat(256), content: 'YQ==' }, tooLong('attachments.0.filename')],
      ]),
      ...cases(
        '`content` base64 (strict; RFC 4648 alphabet, padding optional, white space ignored)',
        (content: string, scene: Scene) => attached({ content }, scene),
        [
          ['padded', 'YQ==', showsFile({ filename: 'a.txt', size: 1 })],
          ['not padded', 'YQ', 202],
          ['white space', ' Y Q\r\n=\t=', 202],
          ['the other alphabet', 'a-_b', refusesField('attachments.0.content')],
          ['a foreign character', 'YQ%=', refusesField('attachments.0.content')],
          ['padding inside', 'YQ==YQ==', refusesField('attachments.0.content')],
          ['one character too many', 'YQabc', refusesField('attachments.0.content')],
        ],
      ),
      ...cases(
        'or Node\'s `{"type":"Buffer","data":[...]}`',
        (content: unknown, scene: Scene) => attached({ content }, scene),
        [
          ['bytes', { type: 'Buffer', data: [97, 0, 255] }, showsFile({ filename: 'a.txt', size: 3 })],
          ['no bytes', { type: 'Buffer', data: ['a'] }, 422],
          ['not bytes', { type: 'Buffer', data: [256] }, 422],
        ],
      ),
      ...cases(
        'or `path`, an http(s) URL fetched at acceptance',
        (path: string, scene: Scene) => attached({ path }, scene),
        [
          ['another scheme', 'file:///etc/passwd', refusesField('attachments.0.path')],
          ['no URL', 'a.txt', refusesField('attachments.0.path')],
          ['nobody answers there', 'http://127.0.0.1:1/a.txt', refusesField('attachments.0.path')],
        ],
      ),
      ...cases('`content_type` (default from the file name)', attached, [
        ['a PDF', { filename: 'a.pdf', content: 'YQ==' }, showsFile({ content_type: 'application/pdf' })],
        [
          'unknown',
          { filename: 'a.frobnicate', content: 'YQ==' },
          showsFile({ content_type: 'application/octet-stream' }),
        ],
      ]),
      proof('`content_id` for inline images.', 'in the message', async (scene) => {
        const image = { filename: 'a.png', content: 'YQ==', content_id: 'logo' }
        const raw = await rawOf(scene, { html: '<img src="cid:logo">', attachments: [image] })
        expect(raw).toMatch(/^Content-ID: <logo>\r$/im)
        expect(raw).toMatch(/^Content-Disposition: inline/im)
      }),
    ],
  },
  {
    document: 'decisions.md',
    heading: '5. Emails: headers, tags, size',
    rows: [
      ...cases(
        'names that the service sets itself (From, To, Cc, Bcc, Subject, MIME-Version, Content-*, DKIM-Signature, Received, Sender, Reply-To, Resent-*) are 422',
        withHeader,
        OWN_HEADERS.map((name) => [name, name, refuses({ [`headers.${name}`]: /./ })] as const),
      ),
      proof(
        'but for `Return-Path` and `Date`, which are dropped, and `Message-ID`, which goes out as `X-Original-Message-ID`',
        'as sent',
        async (scene) => {
          const headers = { 'return-path': '<a@b.test>', DATE: 'yesterday', 'Message-ID': '<one@app.test>' }
          const [head = ''] = (await rawOf(scene, { headers })).split('\r\n\r\n')
          expect(head).not.toMatch(/^Return-Path:|yesterday/im)
          expect(head.match(/^Date: /gim)).toHaveLength(1)
          expect(head.match(/^Message-ID: .*$/gim)).toHaveLength(1)
          expect(head).not.toMatch(/^Message-ID:\s*<one@app.test>/im)
          expect(head.match(/^X-Original-Message-ID:\s+<one@app.test>/gim)).toHaveLength(1)
        },
      ),
      ...cases('`headers`: string pairs', withHeader, [
        ['a name of its own', 'X-Entity-Ref-ID', accepts({ headers: { 'X-Entity-Ref-ID': 'x' } })],
        ['List-Unsubscribe', 'List-Unsubscribe', 202],
      ]),
      ...cases('`headers`: string pairs', withField('headers'), [
        ['an empty array, an empty map in PHP', [], accepts({ headers: {} })],
      ]),
      ...cases('`tags`: at most 20', withField('tags'), [
        ['20', tags(20), accepts({ tags: tags(20) })],
        ['21', tags(21), refusesField('tags')],
      ]),
      ...cases('name and value 1-256 of `[A-Za-z0-9_-]`', tagged, [
        ['256', { name: 'n'.repeat(256), value: 'v'.repeat(256) }, 202],
        ['257 in the name', { name: 'n'.repeat(257) }, refusesField('tags.0.name')],
        ['257 in the value', { value: 'v'.repeat(257) }, refusesField('tags.0.value')],
        ['all kinds', { name: 'aZ0_-', value: '-' }, 202],
        ['a space', { name: 'a b' }, refusesField('tags.0.name')],
        ['beyond ASCII', { value: 'é' }, refusesField('tags.0.value')],
        ['nothing', { value: '' }, refusesField('tags.0.value')],
      ]),
      proof('never on the wire.', 'tags', async (scene) => {
        const raw = await rawOf(scene, { tags: [{ name: 'secret-name', value: 'secret-value' }] })
        expect(raw).not.toContain('secret-')
      }),
      {
        says: 'Size: the built message at most 37,500,000 bytes (422).',
        asks: ({ sender }) => ['POST /emails', sender.email({ text: `${'x'.repeat(998)}\n`.repeat(37_600) })],
        answers: { status: 422, json: { name: 'validation_error' } },
      },
      proof(
        'If only `html` is given, a plain-text part is derived from it',
        'in the message',
        async (scene) => {
          const raw = await rawOf(scene, { text: undefined, html: '<h1>Hello</h1><p>you</p>' })
          expect(raw).toMatch(/^Content-Type: text\/plain/im)
        },
      ),
      proof('`text: ""` opts out.', 'in the message', async (scene) => {
        const raw = await rawOf(scene, { text: '', html: '<h1>Hello</h1><p>you</p>' })
        expect(raw).toMatch(/^Content-Type: text\/html/im)
        expect(raw).not.toMatch(/^Content-Type: (text\/plain|multipart)/im)
      }),
    ],
  },
  {
    document: 'decisions.md',
    heading: '5. Emails: scheduling',
    rows: [
      ...cases('`scheduled_at`: ISO 8601; without an offset it is UTC', withField('scheduled_at'), [
        ['Z', `${DAY}T10:00:00Z`, scheduledIs(`${DAY} 10:00:00`)],
        ['no offset', `${DAY}T10:00:00`, scheduledIs(`${DAY} 10:00:00`)],
        ['an offset', `${DAY}T10:00:00+02:30`, scheduledIs(`${DAY} 07:30:00`)],
        ['milliseconds', `${DAY}T10:00:00.000Z`, scheduledIs(`${DAY} 10:00:00`)],
        ['no such day', `${DAY.slice(0, 4)}-02-31T10:00:00Z`, refusesField('scheduled_at')],
        ['an American date', '11/21/2026', refusesField('scheduled_at')],
      ]),
      ...cases('must be in the future and within 365 days.', withField('scheduled_at'), [
        ['364 days', inDays(364), 202],
        ['366 days', inDays(366), refusesField('scheduled_at')],
        ['a second ago', inDays(-1 / 86_400), refusesField('scheduled_at')],
      ]),
      proof('`PATCH /emails/{id}` moves it', 'PATCH', async (scene) => {
        const id = await scheduled(scene)
        const reply = await scene.ask(`PATCH /emails/${id}`, { scheduled_at: `${DAY}T12:00:00Z` })
        expect(reply.status, reply.text).toBe(200)
        const email = await scene.ask(`GET /emails/${id}`)
        expect(email.json).toMatchObject({ status: 'scheduled', scheduled_at: `${DAY} 12:00:00` })
      }),
      proof('`PATCH /emails/{id}` moves it', '422 for the past and for nothing', async (scene) => {
        const id = await scheduled(scene)
        const past = await scene.ask(`PATCH /emails/${id}`, { scheduled_at: inDays(-1) })
        await checkAnswer(past, refusesField('scheduled_at'), scene)
        await checkAnswer(await scene.ask(`PATCH /emails/${id}`, {}), required('scheduled_at'), scene)
      }),
      proof('`POST /emails/{id}/cancel` cancels it', 'before it is due', async (scene) => {
        const id = await scheduled(scene)
        const reply = await scene.ask(`POST /emails/${id}/cancel`)
        expect([reply.status, reply.json.id]).toEqual([200, id])
        expect((await scene.ask(`GET /emails/${id}`)).json).toMatchObject({
          status: 'canceled',
          recipients: [{ status: 'canceled' }],
        })
      }),
      proof('(409 once it is due)', 'cancel', async (scene) => {
        const reply = await scene.ask(`POST /emails/${await sent(scene)}/cancel`)
        expect(reply.json).toMatchObject({ statusCode: 409, name: 'conflict' })
      }),
      proof('`PATCH /emails/{id}` moves it', 'to a moment, and it is sent', async (scene) => {
        const id = await scheduled(scene)
        await scene.ask(`PATCH /emails/${id}`, { scheduled_at: inDays(1 / 86_400) })
        expect((await scene.sender.settled(id)).status).toBe('delivered')
      }),
    ],
  },
  {
    document: 'decisions.md',
    heading: '5. Emails: Idempotency-Key',
    rows: [
      proof('same key and same body gives the first answer again', 'POST /emails', async (scene) => {
        const first = await keyed(scene, 'same')
        const again = await keyed(scene, 'same')
        expect([again.status, again.text]).toEqual([202, first.text])
      }),
      proof(
        'same key and another body is 409 `invalid_idempotent_request`',
        'POST /emails',
        async (scene) => {
          await keyed(scene, 'other')
          const { status, json } = await keyed(scene, 'other', { subject: 'Other' })
          expect([status, json.name]).toEqual([409, 'invalid_idempotent_request'])
        },
      ),
      proof(
        'while the first is under way, 409 `concurrent_idempotent_requests`',
        'ten at once',
        async (scene) => {
          const replies = await Promise.all(Array.from({ length: 10 }, () => keyed(scene, 'at once')))
          const accepted = replies.filter(({ status }) => status === 202)
          expect(new Set(accepted.map(({ json }) => json.id)).size).toBe(1)
          for (const { status, json } of replies) {
            if (status !== 202) expect([status, json.name]).toEqual([409, 'concurrent_idempotent_requests'])
          }
        },
      ),
      ...cases(
        'a malformed key is 400 `invalid_idempotency_key`.',
        (key: string, { sender }: Scene): Request => [
          'POST /emails',
          sender.email(),
          { 'idempotency-key': key },
        ],
        [
          ['empty', '', { status: 400, json: { statusCode: 400, name: 'invalid_idempotency_key' } }],
          ['257', 'k'.repeat(257), { status: 400, json: { name: 'invalid_idempotency_key' } }],
          ['256', 'k'.repeat(256), 202],
          ['1', 'k', 202],
        ],
      ),
      proof('`Idempotency-Key` (1-256 characters, kept 24 h, per team)', 'of two teams', async (scene) => {
        const first = await keyed(scene, 'per team')
        const other = await scene.freshSender()
        const key = { 'idempotency-key': 'per team' }
        const second = await other.ask('POST /emails', other.email(), key)
        expect(second.status).toBe(202)
        expect(second.json.id).not.toBe(first.json.id)
      }),
      proof('Only accepted requests are remembered.', 'refused first', async (scene) => {
        expect((await keyed(scene, 'again', { to: 'nobody' })).status).toBe(422)
        expect((await keyed(scene, 'again')).status).toBe(202)
      }),
    ],
  },
]

function keyed({ ask, sender }: Scene, key: string, fields: Record<string, unknown> = {}) {
  return ask('POST /emails', sender.email(fields), { 'idempotency-key': key })
}

function tags(count: number) {
  return Array.from({ length: count }, (_, index) => ({ name: `n${index}`, value: 'v' }))
}

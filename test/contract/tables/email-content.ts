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

/** The names in the requirement, with two examples each for `Content-*` and `Resent-*`. */
const OWN_HEADERS = [
  ...['From', 'To', 'Cc', 'Bcc', 'Subject', 'MIME-Version', 'DKIM-Signature'],
  ...['Received', 'Sender', 'Reply-To', 'Content-Type', 'Content-Disposition'],
  ...['Resent-From', 'Resent-Date', 'subject', 'CONTENT-ID'],
]

/** Returns the raw message of an accepted email. */
async function rawOf(scene: Scene, fields: Record<string, unknown>): Promise<string> {
  const reply = await scene.ask('POST /emails', scene.sender.email({ ...fields, scheduled_at: inDays(1) }))
  await checkAnswer(reply, accepts(), scene)
  return (await scene.ask(`GET /emails/${reply.json.id}/raw`)).text
}

const scheduledIs =
  (time: string): Expected =>
  (reply, scene) =>
    checkAnswer(reply, accepts({ status: 'scheduled', scheduled_at: time }), scene)
/** A date within a year that stays in the future during the run. */
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
    heading: 'emails: attachments',
    rows: [
      ...cases('ACC-14', attached, [
        ['a path', { filename: '../../etc/a.txt', content: 'YQ==' }, showsFile({ filename: 'a.txt' })],
        [
          'a path of Windows',
          { filename: 'C:\\x\\a.txt', content: 'YQ==' },
          showsFile({ filename: 'a.txt' }),
        ],
        ['255', { filename: '😀'.repeat(255), content: 'YQ==' }, 202],
        ['256', { filename: '😀'.repeat(256), content: 'YQ==' }, tooLong('attachments.0.filename')],
      ]),
      ...cases('ACC-15', (content: string, scene: Scene) => attached({ content }, scene), [
        ['padded', 'YQ==', showsFile({ filename: 'a.txt', size: 1 })],
        ['not padded', 'YQ', 202],
        ['white space', ' Y Q\r\n=\t=', 202],
        ['the other alphabet', 'a-_b', refusesField('attachments.0.content')],
        ['a foreign character', 'YQ%=', refusesField('attachments.0.content')],
        ['padding inside', 'YQ==YQ==', refusesField('attachments.0.content')],
        ['one character too many', 'YQabc', refusesField('attachments.0.content')],
      ]),
      ...cases('ACC-15', (content: unknown, scene: Scene) => attached({ content }, scene), [
        ['bytes', { type: 'Buffer', data: [97, 0, 255] }, showsFile({ filename: 'a.txt', size: 3 })],
        ['no bytes', { type: 'Buffer', data: ['a'] }, 422],
        ['not bytes', { type: 'Buffer', data: [256] }, 422],
      ]),
      ...cases('ACC-16', (path: string, scene: Scene) => attached({ path }, scene), [
        ['another scheme', 'file:///etc/passwd', refusesField('attachments.0.path')],
        ['no URL', 'a.txt', refusesField('attachments.0.path')],
        ['nothing listens there', 'http://127.0.0.1:1/a.txt', refusesField('attachments.0.path')],
      ]),
      ...cases('ACC-17', attached, [
        ['a PDF', { filename: 'a.pdf', content: 'YQ==' }, showsFile({ content_type: 'application/pdf' })],
        [
          'unknown',
          { filename: 'a.frobnicate', content: 'YQ==' },
          showsFile({ content_type: 'application/octet-stream' }),
        ],
      ]),
      proof('ACC-17', 'in the message', async (scene) => {
        const image = { filename: 'a.png', content: 'YQ==', content_id: 'logo' }
        const raw = await rawOf(scene, { html: '<img src="cid:logo">', attachments: [image] })
        expect(raw).toMatch(/^Content-ID: <logo>\r$/im)
        expect(raw).toMatch(/^Content-Disposition: inline/im)
      }),
    ],
  },
  {
    heading: 'emails: headers, tags and size',
    rows: [
      ...cases(
        'ACC-11',
        withHeader,
        OWN_HEADERS.map((name) => [name, name, refuses({ [`headers.${name}`]: /./ })] as const),
      ),
      proof('ACC-12', 'as sent', async (scene) => {
        const headers = { 'return-path': '<a@b.test>', DATE: 'yesterday', 'Message-ID': '<one@app.test>' }
        const [head = ''] = (await rawOf(scene, { headers })).split('\r\n\r\n')
        expect(head).not.toMatch(/^Return-Path:|yesterday/im)
        expect(head.match(/^Date: /gim)).toHaveLength(1)
        expect(head.match(/^Message-ID: .*$/gim)).toHaveLength(1)
        expect(head).not.toMatch(/^Message-ID:\s*<one@app.test>/im)
        expect(head.match(/^X-Original-Message-ID:\s+<one@app.test>/gim)).toHaveLength(1)
      }),
      ...cases('ACC-11', withHeader, [
        ['a name of its own', 'X-Entity-Ref-ID', accepts({ headers: { 'X-Entity-Ref-ID': 'x' } })],
        ['List-Unsubscribe', 'List-Unsubscribe', 202],
      ]),
      ...cases('ACC-11', withField('headers'), [
        ['an empty array, an empty map in PHP', [], accepts({ headers: {} })],
      ]),
      ...cases('ACC-13', withField('tags'), [
        ['20', tags(20), accepts({ tags: tags(20) })],
        ['21', tags(21), refusesField('tags')],
      ]),
      ...cases('ACC-13', tagged, [
        ['256', { name: 'n'.repeat(256), value: 'v'.repeat(256) }, 202],
        ['257 in the name', { name: 'n'.repeat(257) }, refusesField('tags.0.name')],
        ['257 in the value', { value: 'v'.repeat(257) }, refusesField('tags.0.value')],
        ['256 beyond the BMP', { name: '😀'.repeat(256), value: '😀'.repeat(256) }, 202],
        ['all kinds', { name: 'aZ0_-', value: '-' }, 202],
        ['a space', { name: 'a b' }, 202],
        ['beyond ASCII', { value: 'é' }, 202],
        ['an empty name', { name: '' }, refusesField('tags.0.name')],
        ['a control character', { value: 'a\u0085b' }, refusesField('tags.0.value')],
        ['nothing', { value: '' }, accepts({ tags: [{ name: 'a', value: '' }] })],
      ]),
      proof('ACC-13', 'tags', async (scene) => {
        const raw = await rawOf(scene, { tags: [{ name: 'secret-name', value: 'secret-value' }] })
        expect(raw).not.toContain('secret-')
      }),
      {
        requirement: 'ACC-18',
        // The attachments have fewer bytes than their limit.
        asks: (scene) => attached({ content: 'A'.repeat(36_800_000) }, scene),
        answers: {
          status: 422,
          json: {
            name: 'validation_error',
            message: 'The built message must not be greater than 37500000 bytes.',
          },
        },
      },
      proof('ACC-10', 'in the message', async (scene) => {
        const raw = await rawOf(scene, { text: undefined, html: '<h1>Hello</h1><p>you</p>' })
        expect(raw).toMatch(/^Content-Type: text\/plain/im)
      }),
      proof('ACC-10', 'in the message', async (scene) => {
        const raw = await rawOf(scene, { text: '', html: '<h1>Hello</h1><p>you</p>' })
        expect(raw).toMatch(/^Content-Type: text\/html/im)
        expect(raw).not.toMatch(/^Content-Type: (text\/plain|multipart)/im)
      }),
    ],
  },
  {
    heading: 'emails: schedules',
    rows: [
      ...cases('ACC-19', withField('scheduled_at'), [
        ['Z', `${DAY}T10:00:00Z`, scheduledIs(`${DAY} 10:00:00`)],
        ['no offset', `${DAY}T10:00:00`, scheduledIs(`${DAY} 10:00:00`)],
        ['an offset', `${DAY}T10:00:00+02:30`, scheduledIs(`${DAY} 07:30:00`)],
        ['milliseconds', `${DAY}T10:00:00.000Z`, scheduledIs(`${DAY} 10:00:00`)],
        ['no such day', `${DAY.slice(0, 4)}-02-31T10:00:00Z`, refusesField('scheduled_at')],
        ['an American date', '11/21/2026', refusesField('scheduled_at')],
      ]),
      ...cases('ACC-19', withField('scheduled_at'), [
        ['364 days', inDays(364), 202],
        ['366 days', inDays(366), refusesField('scheduled_at')],
        ['a second ago', inDays(-1 / 86_400), refusesField('scheduled_at')],
      ]),
      proof('ACC-20', 'PATCH', async (scene) => {
        const id = await scheduled(scene)
        const reply = await scene.ask(`PATCH /emails/${id}`, { scheduled_at: `${DAY}T12:00:00Z` })
        expect(reply.status, reply.text).toBe(200)
        const email = await scene.ask(`GET /emails/${id}`)
        expect(email.json).toMatchObject({ status: 'scheduled', scheduled_at: `${DAY} 12:00:00` })
      }),
      proof('ACC-20', '422 for the past and for nothing', async (scene) => {
        const id = await scheduled(scene)
        const past = await scene.ask(`PATCH /emails/${id}`, { scheduled_at: inDays(-1) })
        await checkAnswer(past, refusesField('scheduled_at'), scene)
        await checkAnswer(await scene.ask(`PATCH /emails/${id}`, {}), required('scheduled_at'), scene)
      }),
      proof('ACC-20', 'before it is due', async (scene) => {
        const id = await scheduled(scene)
        const reply = await scene.ask(`POST /emails/${id}/cancel`)
        expect([reply.status, reply.json.id]).toEqual([200, id])
        expect((await scene.ask(`GET /emails/${id}`)).json).toMatchObject({
          status: 'canceled',
          recipients: [{ status: 'canceled' }],
        })
      }),
      proof('ACC-20', 'cancel', async (scene) => {
        const reply = await scene.ask(`POST /emails/${await sent(scene)}/cancel`)
        expect(reply.json).toMatchObject({ statusCode: 409, name: 'conflict' })
      }),
      proof('ACC-20', 'to a moment, and it is sent', async (scene) => {
        const id = await scheduled(scene)
        await scene.ask(`PATCH /emails/${id}`, { scheduled_at: inDays(1 / 86_400) })
        expect((await scene.sender.settled(id)).status).toBe('delivered')
      }),
    ],
  },
  {
    heading: 'emails: idempotency',
    rows: [
      proof('ACC-21', 'POST /emails', async (scene) => {
        const first = await keyed(scene, 'same')
        const again = await keyed(scene, 'same')
        expect([again.status, again.text]).toEqual([202, first.text])
      }),
      proof('ACC-22', 'POST /emails', async (scene) => {
        await keyed(scene, 'other')
        const { status, json } = await keyed(scene, 'other', { subject: 'Other' })
        expect([status, json.name]).toEqual([409, 'invalid_idempotent_request'])
      }),
      proof('ACC-22', 'ten at once', async (scene) => {
        const replies = await Promise.all(Array.from({ length: 10 }, () => keyed(scene, 'at once')))
        const accepted = replies.filter(({ status }) => status === 202)
        expect(new Set(accepted.map(({ json }) => json.id)).size).toBe(1)
        for (const { status, json } of replies) {
          if (status !== 202) expect([status, json.name]).toEqual([409, 'concurrent_idempotent_requests'])
        }
      }),
      ...cases(
        'ACC-22',
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
      proof('ACC-21', 'of two teams', async (scene) => {
        const first = await keyed(scene, 'per team')
        const other = await scene.freshSender()
        const key = { 'idempotency-key': 'per team' }
        const second = await other.ask('POST /emails', other.email(), key)
        expect(second.status).toBe(202)
        expect(second.json.id).not.toBe(first.json.id)
      }),
      proof('ACC-23', 'refused first', async (scene) => {
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

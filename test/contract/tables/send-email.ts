import { expect } from 'vitest'
import { inDays } from '../known.ts'
import {
  accepts,
  aUuid,
  cases,
  checkAnswer,
  type Expected,
  mustBeString,
  proof,
  type Request,
  refuses,
  refusesField,
  required,
  type Section,
  tooLong,
} from '../row.ts'
import type { Scene } from '../scene.ts'

/** Returns a valid email with another value in this field; undefined removes it. */
const withField =
  (field: string) =>
  (value: unknown, { sender }: Scene): Request => ['POST /emails', sender.email({ [field]: value })]

/** Sends from this address; OURS stands for the domain of the shared team. */
const sendFrom = (from: string, { sender }: Scene): Request => [
  'POST /emails',
  sender.email({ from: from.replace('OURS', sender.domain) }),
]

const people = (count: number) => Array.from({ length: count }, (_, index) => `p${index}@simulator.test`)
const named = (kind: string) => [`Bob <${kind}@simulator.test>`]
const later = { scheduled_at: inDays(1) }
const showsFrom =
  (from: string): Expected =>
  async (reply, scene) =>
    checkAnswer(reply, accepts({ from: from.replace('OURS', scene.sender.domain) }), scene)

export const sendEmailSections: readonly Section[] = [
  {
    heading: 'emails: fields',
    rows: [
      {
        requirement: 'ACC-1',
        asks: ({ sender }) => ['POST /emails', sender.email()],
        answers: { status: 202, exactly: { id: aUuid } },
      },
      ...cases('ACC-2', withField('to'), [
        ['a string', 'bob@simulator.test', accepts({ to: ['bob@simulator.test'] })],
        ['an array', people(2), accepts({ to: people(2) })],
        ['a number', 1, refusesField('to')],
        ['an array with a number', ['a@simulator.test', 1], mustBeString('to.1')],
      ]),
      ...cases('ACC-2', withField('to'), [
        ['50', people(50), accepts({ to: people(50) })],
        ['51', people(51), refusesField('to')],
        ['a name', 'Bob <bob@simulator.test>', accepts({ to: ['Bob <bob@simulator.test>'] })],
      ]),
      ...cases('ACC-5', withField('from'), [
        ['absent', undefined, required('from')],
        ['a number', 1, mustBeString('from')],
        [
          'of a domain without an owner',
          'a@unverified.test',
          {
            status: 422,
            json: { name: 'validation_error', message: 'The from address domain is not verified.' },
          },
        ],
      ]),
      ...cases('ACC-9', withField('subject'), [
        ['absent', undefined, required('subject')],
        ['a number', 1, mustBeString('subject')],
        ['998 characters', 's'.repeat(998), accepts({ subject: 's'.repeat(998) })],
        ['999 characters', 's'.repeat(999), tooLong('subject', 998)],
        ['998 of four bytes', '😀'.repeat(998), accepts({ subject: '😀'.repeat(998) })],
        ['999 of four bytes', '😀'.repeat(999), tooLong('subject', 998)],
      ]),
      ...cases('ACC-10', withField('html'), [
        ['text is there', undefined, 202],
        ['a number', 1, mustBeString('html')],
      ]),
      {
        requirement: 'ACC-10',
        by: 'neither',
        asks: ({ sender }) => ['POST /emails', sender.email({ text: undefined })],
        answers: ({ status, json }) => {
          expect([status, json.name]).toEqual([422, 'validation_error'])
          expect(json.message).toMatch(/^The (html|text) field is required/)
        },
      },
      {
        requirement: 'ACC-10',
        by: 'html is there',
        asks: ({ sender }) => ['POST /emails', sender.email({ text: undefined, html: '<p>Hi</p>' })],
        answers: accepts({ html: '<p>Hi</p>' }),
      },
      ...['cc', 'bcc', 'reply_to'].flatMap((field) =>
        cases('ACC-3', withField(field), [
          ['names', named(field), accepts({ [field]: named(field) })],
          ['two', people(2), accepts({ [field]: people(2) })],
          ['a number', 7, refusesField(field)],
          ['an array with a number', [7], mustBeString(`${field}.0`)],
          ['no address', ['nobody'], refusesField(`${field}.0`)],
        ]),
      ),
      ...cases('ACC-11', withField('headers'), [
        ['a pair', { 'X-Order': '7' }, accepts({ headers: { 'X-Order': '7' } })],
        ['a number', { 'X-Order': 7 }, refusesField('headers.X-Order')],
        ['a text', 'X-Order: 7', refusesField('headers')],
      ]),
      ...cases('ACC-13', withField('tags'), [
        ['one', [{ name: 'a', value: 'b' }], accepts({ tags: [{ name: 'a', value: 'b' }] })],
        ['a text', 'a', refusesField('tags')],
        ['no name', [{ value: 'b' }], required('tags.0.name')],
        ['no value', [{ name: 'a' }], accepts({ tags: [{ name: 'a', value: '' }] })],
        ['a name alone', ['a'], accepts({ tags: [{ name: 'a', value: '' }] })],
      ]),
      ...cases('ACC-19', withField('scheduled_at'), [
        ['tomorrow', later.scheduled_at, accepts({ status: 'scheduled' })],
        ['yesterday', inDays(-1), refusesField('scheduled_at')],
        ['not a time', 'tomorrow', refusesField('scheduled_at')],
        ['a number', 1_999_999_999, mustBeString('scheduled_at')],
      ]),
      ...cases('ACC-26', withField('class'), [
        ['none', undefined, accepts({ class: 'transactional' })],
        ['bulk', 'bulk', accepts({ class: 'bulk' })],
        ['transactional', 'transactional', accepts({ class: 'transactional' })],
        ['another', 'urgent', refuses({ class: 'The class field must be one of transactional, bulk.' })],
        ['a number', 1, refusesField('class')],
        ['null', null, accepts({ class: 'transactional' })],
        ['an array', ['bulk'], refusesField('class')],
        ['in upper case', 'BULK', refusesField('class')],
        ['long', 'b'.repeat(100_000), refusesField('class')],
      ]),
      ...cases('ACC-14', withField('attachments'), [
        ['10', files(10), accepts({ attachments: Array(10).fill({ filename: 'a.txt' }) })],
        ['11', files(11), refusesField('attachments')],
        ['an object', { filename: 'a.txt' }, refusesField('attachments')],
      ]),
      ...cases('ACC-15', withField('attachments'), [
        ['no content', [{ filename: 'a.txt' }], refusesField('attachments.0.content')],
        [
          'a filename that is a number',
          [{ filename: 1, content: 'YQ==' }],
          mustBeString('attachments.0.filename'),
        ],
        [
          'a media type',
          [{ filename: 'a', content: 'YQ==', content_type: 'text/csv' }],
          accepts({ attachments: [{ filename: 'a', content_type: 'text/csv' }] }),
        ],
      ]),
    ],
  },
  {
    heading: 'emails: addresses and errors',
    rows: [
      {
        requirement: 'ACC-1',
        asks: ({ sender }) => ['POST /emails', sender.email({ to: people(3), cc: 'c@simulator.test' })],
        answers: { status: 202, exactly: { id: aUuid } },
      },
      ...cases('ACC-2', withField('to'), [
        ['absent', undefined, required('to')],
        ['null', null, required('to')],
        ['empty', '', required('to')],
        ['an empty array', [], required('to')],
      ]),
      ...['cc', 'bcc', 'reply_to'].flatMap((field) =>
        cases('ACC-3', withField(field), [
          [field, 'x@simulator.test', accepts({ [field]: ['x@simulator.test'] })],
        ]),
      ),
      ...cases('ACC-3', recipientsOf, [
        ['150', [50, 50, 50], 202],
        ['151', [50, 50, 51], 422],
        ['151 in cc alone', [1, 150, 0], 422],
      ]),
      proof('ACC-4', 'in to and cc', async ({ sender, ask }) => {
        const to = ['same@simulator.test', 'SAME@simulator.test', 'Bob <same@Simulator.test>']
        const { json } = await ask('POST /emails', sender.email({ to, cc: to, ...later }))
        expect((await ask(`GET /emails/${json.id}`)).json.recipients.length).toBeLessThanOrEqual(2)
        const same = ['one@simulator.test', 'one@simulator.test']
        const again = await ask('POST /emails', sender.email({ to: same, cc: same, ...later }))
        expect((await ask(`GET /emails/${again.json.id}`)).json.recipients).toHaveLength(1)
      }),
      ...cases('ACC-5', sendFrom, [
        ['without', 'ann@OURS', showsFrom('ann@OURS')],
        ['with', 'Ann <ann@OURS>', showsFrom('Ann <ann@OURS>')],
        ['two', 'a@OURS, b@OURS', refusesField('from')],
      ]),
      ...cases('ACC-6', withField('to'), [
        ['plain', 'a.b+c@simulator.test', 202],
        ['quoted', '"a b"@simulator.test', 202],
        ['a UTF-8 local part', 'jörg@simulator.test', 202],
        ['a UTF-8 domain', 'a@bücher.test', 202],
        ['two dots', 'a..b@simulator.test', refusesField('to')],
        ['a space', 'a b@simulator.test', refusesField('to')],
        ['no local part', '@simulator.test', refusesField('to')],
        ['no domain', 'a@', refusesField('to')],
        ['65 characters before the @', `${'a'.repeat(65)}@simulator.test`, refusesField('to')],
      ]),
      ...cases('ACC-6', withField('to'), [
        ['a literal', 'a@[127.0.0.1]', refusesField('to')],
        ['a single label', 'a@localhost', refusesField('to')],
        ['a comment', 'a(b)@simulator.test', refusesField('to')],
        ['a route', '<@x.test:a@simulator.test>', refusesField('to')],
      ]),
      ...['subject', 'to', 'cc', 'reply_to', 'from'].flatMap((field) =>
        cases('ACC-7', withField(field), [
          [`LF in ${field}`, 'a@simulator.test\nBcc: b@simulator.test', 422],
          [`CR in ${field}`, 'a@simulator.test\rBcc: b@simulator.test', 422],
          [`NUL in ${field}`, 'a@simulator.test\u0000', 422],
        ]),
      ),
      ...cases('ACC-7', withField('headers'), [
        ['LF in a header', { 'X-A': 'a\nb' }, 422],
        ['CR in a header', { 'X-A': 'a\rb' }, 422],
        ['NUL in a header', { 'X-A': 'a\u0000' }, 422],
        ['LF in the name of a header', { 'X-A\n': 'a' }, 422],
      ]),
      proof('ACC-8', 'U-label', async (scene) => {
        const own = await scene.service.givenSender({ domain: `bücher-${Date.now()}.test` })
        for (const name of [own.domain, new URL(`http://${own.domain}`).hostname.toUpperCase()]) {
          expect((await own.post('/emails', own.email({ from: `a@${name}` }))).status).toBe(202)
        }
      }),
      ...cases('ACC-8', sendFrom, [
        ['below', 'a@sub.OURS', error422('The from address domain is not verified.')],
        ['upper case', 'a@OURS'.toUpperCase(), 202],
      ]),
      {
        requirement: 'ACC-8',
        by: "another team's",
        asks: async ({ sender, freshSender }) => [
          'POST /emails',
          sender.email({ from: `a@${(await freshSender()).domain}` }),
        ],
        answers: error422('The from address domain is not verified.'),
      },
      proof('ACC-8', 'pending', async (scene) => {
        const { name } = await scene.made('domain')
        const reply = await scene.ask('POST /emails', scene.sender.email({ from: `a@${name}` }))
        await checkAnswer(reply, error422('The from address domain is not verified.'), scene)
      }),
      {
        requirement: 'ERR-1',
        asks: ({ sender }) => [
          'POST /emails',
          sender.email({ attachments: [{ filename: 'a', content: '%' }] }),
        ],
        answers: refusesField('attachments.0.content'),
      },
      {
        requirement: 'ERR-1',
        asks: ['POST /emails', { text: 'x', to: 'a@simulator.test' }],
        answers: ({ status, json }) => {
          expect([status, json.message]).toEqual([422, Object.values<string[]>(json.errors)[0]?.[0]])
          expect(Object.keys(json.errors).length).toBeGreaterThan(1)
        },
      },
      {
        requirement: 'API-6',
        by: 'an array as the body',
        asks: ['POST /emails', []],
        answers: 422,
      },
      {
        requirement: 'API-6',
        by: 'a text as the body',
        asks: ['POST /emails', '"x"'],
        answers: 422,
      },
      {
        requirement: 'ERR-3',
        by: 'not Bearer',
        asks: ({ sender }) => ['POST /emails', {}, { authorization: `Basic ${sender.token}` }],
        answers: ({ status, json }) => {
          expect([status, json.message]).toEqual([401, 'Invalid API key.'])
        },
      },
      {
        requirement: 'ERR-5',
        asks: ['POST /frob', {}],
        answers: {
          status: 404,
          exactly: {
            statusCode: 404,
            name: 'not_found',
            message: 'Not found.',
            hint: 'No endpoint has this path. The reference is at /docs.',
          },
        },
      },
      {
        requirement: 'ERR-2',
        by: 'several at once',
        asks: ['POST /emails', { text: 'x', to: 'a@simulator.test' }],
        answers: refuses({
          from: 'The from field is required.',
          subject: 'The subject field is required.',
        }),
      },
    ],
  },
]

function files(count: number) {
  return Array.from({ length: count }, () => ({ filename: 'a.txt', content: 'YQ==' }))
}

function recipientsOf([to, cc, bcc]: readonly number[], { sender }: Scene): Request {
  const list = (kind: string, count = 0) =>
    Array.from({ length: count }, (_, index) => `${kind}${index}@simulator.test`)
  return [
    'POST /emails',
    sender.email({ to: list('to', to), cc: list('cc', cc), bcc: list('bcc', bcc), ...later }),
  ]
}

function error422(message: string): Expected {
  return { status: 422, json: { statusCode: 422, name: 'validation_error', message } }
}

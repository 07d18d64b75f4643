import { expect } from 'vitest'
import { UNKNOWN_ID } from '../known.ts'
import { unique } from '../resources.ts'
import {
  type Answer,
  aUuid,
  cases,
  mustBeString,
  proof,
  type Request,
  type Section,
  tooLong,
} from '../row.ts'
import type { Scene } from '../scene.ts'

const email = (fields: Record<string, unknown>, { sender }: Scene): Request => [
  'POST /emails',
  sender.email(fields),
]

/** Every request field that the requirements define as a string, by route. */
const STRING_FIELDS: Readonly<Record<string, readonly string[]>> = {
  'POST /properties': ['key'],
  'POST /emails/mime': ['envelope_from', 'envelope_to', 'raw_message'],
  'POST /emails': ['from', 'subject', 'html', 'text', 'scheduled_at'],
  'POST /templates': [
    'name',
    'sender_id',
    'subject',
    'folder_id',
    'html_content',
    'text_content',
    'html',
    'text',
  ],
  'POST /contacts': ['email', 'first_name', 'last_name', 'user_id'],
  'POST /suppressions': ['email'],
  'POST /emails/validate': ['email'],
  'POST /api-keys': ['name', 'domain_id', 'expires_at'],
  'POST /template-folders': ['name'],
  'POST /senders': ['name', 'username', 'domain_id', 'reply_to'],
  'POST /domains': ['name'],
  'POST /lists': ['name'],
  'POST /segments': ['name'],
  'POST /campaigns': ['name', 'sender_id', 'template_id', 'subject', 'segment_id', 'list_id', 'scheduled_at'],
  'POST /automations': ['name'],
}
const NO_STRINGS: readonly (readonly [string, unknown])[] = [
  ['a number', 7],
  ['an object', { a: 1 }],
]

/** Creates rows for a text of `[A-Za-z]` at the limit of a field and above it. */
const limited = (
  requirement: string,
  field: string,
  asks: (value: string, scene: Scene) => Request | Promise<Request>,
  { countMax, good }: { countMax: number; good: Answer | number },
) =>
  cases(requirement, asks, [
    [`${field} of ${countMax}`, 'x'.repeat(countMax), good],
    [`${field} of ${countMax + 1}`, 'x'.repeat(countMax + 1), tooLong(field, countMax)],
  ])

async function template(fields: Record<string, unknown>, scene: Scene): Promise<Request> {
  const { id } = await scene.made('sender')
  return ['POST /templates', { name: 'T', sender_id: id, subject: 'Hi', html_content: 'Hi', ...fields }]
}

/** Converts the text to an address of the same length. */
const asAddress = (text: string) => `${text.slice(0, 60)}@${'x.'.repeat(200).slice(0, text.length - 65)}test`

const notVerified = {
  status: 422,
  json: { name: 'validation_error', message: 'The from address domain is not verified.' },
}

export const errorSections: readonly Section[] = [
  {
    heading: 'errors: lengths',
    rows: [
      ...limited('PRO-1', 'key', (key) => ['POST /properties', { key: `K${key.slice(1)}`, type: 'date' }], {
        countMax: 255,
        good: 201,
      }),
      ...limited(
        'PRO-2',
        'fallback_value',
        (fallback_value) => ['POST /properties', { key: unique('limit'), type: 'string', fallback_value }],
        { countMax: 1000, good: 201 },
      ),
      ...limited('ACC-9', 'subject', (subject, scene) => email({ subject }, scene), {
        countMax: 998,
        good: 202,
      }),
      ...['name', 'subject'].flatMap((field) =>
        limited('TPL-2', field, (value, scene) => template({ [field]: value }, scene), {
          countMax: 255,
          good: 201,
        }),
      ),
      {
        requirement: 'TPL-2',
        by: 'reply_to of 256',
        asks: (scene) => template({ reply_to: asAddress('r'.repeat(256)) }, scene),
        answers: tooLong('reply_to'),
      },
      ...['first_name', 'last_name', 'user_id'].flatMap((field) =>
        limited(
          'CON-2',
          field,
          (value) => ['POST /contacts', { email: `${unique('l')}@b.test`, [field]: value }],
          {
            countMax: 255,
            good: 201,
          },
        ),
      ),
      ...['POST /contacts', 'POST /suppressions'].flatMap((route) =>
        cases(route === 'POST /contacts' ? 'CON-2' : 'SUP-2', (value: string) => [route, { email: value }], [
          [`${route} email of 254`, asAddress('e'.repeat(254)), 201],
          [`${route} email of 255`, asAddress('e'.repeat(255)), tooLong('email', 254)],
        ]),
      ),
    ],
  },
  {
    heading: 'errors: messages',
    rows: [
      {
        requirement: 'ACC-8',
        asks: (scene) => email({ from: 'a@unverified.test' }, scene),
        answers: notVerified,
      },
      proof('ERR-3', 'an unknown key', async (scene) => {
        const { status, json } = await scene.askAs('nothing')('GET /api-keys')
        expect([status, json.message]).toEqual([401, 'Invalid API key.'])
      }),
      ...['POST /contacts', 'POST /suppressions', 'POST /emails/validate'].map((route) => ({
        requirement: 'ERR-2',
        asks: [route, {}] as const,
        answers: { status: 422, json: { name: 'validation_error', message: 'The email field is required.' } },
      })),
      {
        requirement: 'ERR-5',
        asks: [`GET /emails/${UNKNOWN_ID}`],
        answers: { status: 404, json: { message: 'Not found.' } },
      },
      {
        requirement: 'ACC-1',
        asks: (scene) => email({}, scene),
        answers: { status: 202, exactly: { id: aUuid } },
      },
      proof('ACC-1', 'GET /emails/{id}', async (scene) => {
        const { json } = await scene.ask(...email({}, scene))
        expect((await scene.ask(`GET /emails/${json.id}`)).json.id).toBe(json.id)
      }),
      proof('API-12', 'GET /api-keys', async (scene) => {
        const { id } = await scene.made('key')
        const { data } = (await scene.ask('GET /api-keys')).json
        expect(data.map((key: { id: string }) => key.id)).toContain(id)
      }),
      proof('CON-6', 'a deleted contact', async (scene) => {
        const { id } = await scene.made('contact')
        await scene.ask(`DELETE /contacts/${id}`)
        expect(await scene.service.db.query('select 1 from contact where id = $1', [id])).toHaveLength(1)
      }),
    ],
  },
  {
    heading: 'errors: wrong types',
    rows: Object.entries(STRING_FIELDS).flatMap(([route, fields]) =>
      fields.flatMap((field) =>
        NO_STRINGS.map(([by, value]) =>
          proof('ERR-2', `${route} ${field}: ${by}`, async ({ ask }) => {
            const { status, json, text } = await ask(route, { [field]: value })
            expect(status, text).toBe(422)
            const { errors } = mustBeString(field)
            expect(json.errors[field], text).toEqual([errors?.[field]])
          }),
        ),
      ),
    ),
  },
  {
    heading: 'errors: names and records',
    rows: [
      proof('ERR-11', 'what is left of the window', async (scene) => {
        const { ask } = await scene.fresh('free')
        for (let count = 0; count < 60; count += 1) await ask('POST /emails', {})
        const { headers, json } = await ask('POST /emails', {})
        expect(json.name).toBe('rate_limit_exceeded')
        expect(headers.get('retry-after')).toBe(headers.get('ratelimit-reset'))
        expect(headers.get('ratelimit-remaining')).toBe('0')
      }),
      proof('KEY-3', 'the token is nowhere', async (scene) => {
        const { id, token } = (await scene.ask('POST /api-keys', { name: 'hashed' })).json
        const [row] = await scene.service.db.query('select * from api_key where id = $1', [id])
        expect(row).toBeDefined()
        expect(JSON.stringify(row)).toContain(token.slice(0, 8))
        expect(JSON.stringify(row)).not.toContain(token.slice(8))
      }),
      proof('EML-8', 'of three', async (scene) => {
        const { last_event, events } = await scene.sender.settled(await scene.sender.send())
        expect(events.at(-1).type).toBe(`email.${last_event}`)
      }),
      proof('VAL-2', 'nothing else', async ({ ask }) => {
        const { object, ...answer } = (await ask('POST /emails/validate', { email: 'a b' })).json
        expect(object ?? 'none').toBeTypeOf('string')
        expect(Object.keys(answer).sort()).toEqual([
          'block_reason',
          'did_you_mean',
          'email',
          'evaluations',
          'has_known_bounce',
          'is_free_provider',
          'is_valid',
          'should_block',
          'validated_at',
          'verdict',
        ])
        const names = [
          'has_valid_dns',
          'has_valid_syntax',
          'is_disposable',
          'is_random_input',
          'is_role_address',
          'mailbox_exists',
        ]
        expect(Object.keys(answer.evaluations).sort()).toEqual(names)
      }),
    ],
  },
]

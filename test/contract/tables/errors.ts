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

/** Every field of a request that the documents call a string, by the route that takes it. */
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

/** A text of `[A-Za-z]` at the limit of a field and one beyond it. */
const limited = (
  says: string,
  field: string,
  asks: (value: string, scene: Scene) => Request | Promise<Request>,
  { countMax, good }: { countMax: number; good: Answer | number },
) =>
  cases(says, asks, [
    [`${field} of ${countMax}`, 'x'.repeat(countMax), good],
    [`${field} of ${countMax + 1}`, 'x'.repeat(countMax + 1), tooLong(field, countMax)],
  ])

async function template(fields: Record<string, unknown>, scene: Scene): Promise<Request> {
  const { id } = await scene.made('sender')
  return ['POST /templates', { name: 'T', sender_id: id, subject: 'Hi', html_content: 'Hi', ...fields }]
}

/** Shorter by as much as makes it an address. */
const asAddress = (text: string) => `${text.slice(0, 60)}@${'x.'.repeat(200).slice(0, text.length - 65)}test`

const notVerified = {
  status: 422,
  json: { name: 'validation_error', message: 'The from address domain is not verified.' },
}

export const errorSections: readonly Section[] = [
  {
    document: 'service.md',
    heading: 'Field and payload limits',
    rows: [
      ...limited(
        'POST /properties `key` | max 255 chars',
        'key',
        (key) => ['POST /properties', { key: `K${key.slice(1)}`, type: 'date' }],
        {
          countMax: 255,
          good: 201,
        },
      ),
      ...limited(
        'POST /properties `fallback_value` | max 1000 chars',
        'fallback_value',
        (fallback_value) => ['POST /properties', { key: unique('limit'), type: 'string', fallback_value }],
        { countMax: 1000, good: 201 },
      ),
      ...limited(
        'POST /emails `subject` | max 998 chars',
        'subject',
        (subject, scene) => email({ subject }, scene),
        { countMax: 998, good: 202 },
      ),
      ...['name', 'subject'].flatMap((field) =>
        limited(
          'POST /templates `name`, `subject`, `reply_to` | max 255 chars each',
          field,
          (value, scene) => template({ [field]: value }, scene),
          {
            countMax: 255,
            good: 201,
          },
        ),
      ),
      {
        says: 'POST /templates `name`, `subject`, `reply_to` | max 255 chars each',
        by: 'reply_to of 256',
        asks: (scene) => template({ reply_to: asAddress('r'.repeat(256)) }, scene),
        answers: tooLong('reply_to'),
      },
      ...['first_name', 'last_name', 'user_id'].flatMap((field) =>
        limited(
          '`user_id` | max 255 chars each',
          field,
          (value) => ['POST /contacts', { email: `${unique('l')}@b.test`, [field]: value }],
          {
            countMax: 255,
            good: 201,
          },
        ),
      ),
      ...['POST /contacts', 'POST /suppressions'].flatMap((route) =>
        cases(
          `${route === 'POST /contacts' ? '`user_id` | max 255 chars each' : 'POST /suppressions `email` | max 255 chars'}`,
          (value: string) => [route, { email: value }],
          [
            [`${route} email of 254`, asAddress('e'.repeat(254)), 201],
            [`${route} email of 255`, asAddress('e'.repeat(255)), tooLong('email', 254)],
          ],
        ),
      ),
    ],
  },
  {
    document: 'service.md',
    heading: 'Errors: known messages',
    rows: [
      {
        says: 'The from address domain is not verified. | The domain of `from` is not verified in the account (422, name `validation_error`).',
        asks: (scene) => email({ from: 'a@unverified.test' }, scene),
        answers: notVerified,
      },
      proof('Invalid API key. | 401.', 'a key of nobody', async (scene) => {
        const { status, json } = await scene.askAs('nothing')('GET /api-keys')
        expect([status, json.message]).toEqual([401, 'Invalid API key.'])
      }),
      ...['POST /contacts', 'POST /suppressions', 'POST /emails/validate'].map((route) => ({
        says: 'The email field is required. | Missing required parameter (422).',
        asks: [route, {}] as const,
        answers: { status: 422, json: { name: 'validation_error', message: 'The email field is required.' } },
      })),
      {
        says: 'Not found. | 404.',
        asks: [`GET /emails/${UNKNOWN_ID}`],
        answers: { status: 404, json: { message: 'Not found.' } },
      },
      {
        says: '202 | Accepted: request received and processed asynchronously.',
        asks: (scene) => email({}, scene),
        answers: { status: 202, exactly: { id: aUuid } },
      },
      proof('Identifier of the created email.', 'GET /emails/{id}', async (scene) => {
        const { json } = await scene.ask(...email({}, scene))
        expect((await scene.ask(`GET /emails/${json.id}`)).json.id).toBe(json.id)
      }),
      proof(
        'Returns the paginated envelope whose `data` items are API key records of the team.',
        'GET /api-keys',
        async (scene) => {
          const { id } = await scene.made('key')
          const { data } = (await scene.ask('GET /api-keys')).json
          expect(data.map((key: { id: string }) => key.id)).toContain(id)
        },
      ),
      proof('The record is not removed outright.', 'a deleted contact', async (scene) => {
        const { id } = await scene.made('contact')
        await scene.ask(`DELETE /contacts/${id}`)
        expect(await scene.service.db.query('select 1 from contact where id = $1', [id])).toHaveLength(1)
      }),
    ],
  },
  {
    document: 'decisions.md',
    heading: '2. Errors: messages',
    rows: Object.entries(STRING_FIELDS).flatMap(([route, fields]) =>
      fields.flatMap((field) =>
        NO_STRINGS.map(([by, value]) =>
          proof('`The {field} field must be a string.`', `${route} ${field}: ${by}`, async ({ ask }) => {
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
    document: 'decisions.md',
    heading: '2. Errors: the table',
    rows: [
      proof(
        '429 | `rate_limit_exceeded` | with `Retry-After` (whole seconds)',
        'what is left of the window',
        async (scene) => {
          const { ask } = await scene.fresh('free')
          for (let count = 0; count < 60; count += 1) await ask('POST /emails', {})
          const { headers, json } = await ask('POST /emails', {})
          expect(json.name).toBe('rate_limit_exceeded')
          expect(headers.get('retry-after')).toBe(headers.get('ratelimit-reset'))
          expect(headers.get('ratelimit-remaining')).toBe('0')
        },
      ),
      proof('stored is its SHA-256 and its first 8 characters.', 'the token is nowhere', async (scene) => {
        const { id, token } = (await scene.ask('POST /api-keys', { name: 'hashed' })).json
        const [row] = await scene.service.db.query('select * from api_key where id = $1', [id])
        expect(row).toBeDefined()
        expect(JSON.stringify(row)).toContain(token.slice(0, 8))
        expect(JSON.stringify(row)).not.toContain(token.slice(8))
      }),
      proof('`last_event` is the newest event', 'of three', async (scene) => {
        const { last_event, events } = await scene.sender.settled(await scene.sender.send())
        expect(events.at(-1).type).toBe(`email.${last_event}`)
      }),
      proof('`POST /emails/validate` {email} → 200 {email, is_valid', 'nothing else', async ({ ask }) => {
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

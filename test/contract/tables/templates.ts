import { expect } from 'vitest'
import { UNKNOWN_ID } from '../known.ts'
import { unique } from '../resources.ts'
import {
  aTime,
  aUuid,
  cases,
  checkAnswer,
  creates,
  lengths,
  mustBeString,
  proof,
  type Request,
  refusesField,
  required,
  type Section,
} from '../row.ts'
import type { Scene } from '../scene.ts'

const SENDERS = new WeakMap<Scene, Promise<string>>()
/** Returns the id of one sender of the shared team. */
function senderId(scene: Scene): Promise<string> {
  const make = async () => (await scene.made('sender', { name: 'Shop' })).id as string
  const id = SENDERS.get(scene) ?? make()
  SENDERS.set(scene, id)
  return id
}

async function template(fields: Record<string, unknown>, scene: Scene): Promise<Request> {
  const whole = {
    name: unique('T'),
    sender_id: await senderId(scene),
    subject: 'Hi',
    html_content: '<p>Hi</p>',
  }
  return ['POST /templates', { ...whole, ...fields }]
}

const withField = (field: string) => (value: unknown, scene: Scene) => template({ [field]: value }, scene)

async function made(scene: Scene, fields: Record<string, unknown>) {
  const reply = await scene.ask(...(await template(fields, scene)))
  expect(reply.status, reply.text).toBe(201)
  return reply.json
}

const TEMPLATE_FIELDS: readonly (readonly [name: string, requirement: string, value: unknown])[] = [
  ['id', 'TPL-6', aUuid],
  ['folder_id', 'TPL-6', null],
  ['name', 'TPL-6', 'Whole'],
  ['subject', 'TPL-6', 'Hi {{NAME}}'],
  ['html_content', 'TPL-6', '<p>{{NAME}}</p>'],
  ['text_content', 'TPL-6', '{{NAME}}'],
  ['reply_to', 'TPL-6', 'r@example.test'],
  ['status', 'TPL-6', 'published'],
  ['created_at', 'TPL-6', aTime],
  ['updated_at', 'TPL-6', aTime],
]
const SENDER_FIELDS: readonly (readonly [name: string, requirement: string, value: unknown])[] = [
  ['id', 'TPL-6', aUuid],
  ['name', 'TPL-6', 'Shop'],
  ['username', 'TPL-6', expect.stringMatching(/^ann\d+$/)],
  ['email', 'TPL-6', expect.stringMatching(/^ann\d+@sender\d+\.test$/)],
  ['created_at', 'TPL-6', aTime],
  ['updated_at', 'TPL-6', aTime],
]
const VARIABLE = { key: 'NAME', type: 'string', fallback_value: 'you' }
const WHOLE = {
  name: 'Whole',
  subject: 'Hi {{NAME}}',
  html_content: '<p>{{NAME}}</p>',
  text_content: '{{NAME}}',
  reply_to: 'r@example.test',
  variables: [VARIABLE],
}

export const templateSections: readonly Section[] = [
  {
    heading: 'templates: the record',
    rows: [
      ...TEMPLATE_FIELDS.map(([name, requirement, value]) =>
        proof(requirement, name, async (scene) => {
          const { id } = await made(scene, WHOLE)
          expect((await scene.ask(`GET /templates/${id}`)).json[name]).toEqual(value)
        }),
      ),
      proof('TPL-6', 'sender', async (scene) => {
        const { sender } = await made(scene, {})
        expect(sender.id).toBe(await senderId(scene))
      }),
      proof('TPL-6', 'variables', async (scene) => {
        const { variables } = await made(scene, WHOLE)
        expect(variables).toEqual([VARIABLE])
      }),
      ...['key', 'type', 'fallback_value'].map((name) =>
        proof('TPL-7', name, async (scene) => {
          const [variable] = (await made(scene, WHOLE)).variables
          expect(variable[name]).toBe(VARIABLE[name as keyof typeof VARIABLE])
        }),
      ),
      ...SENDER_FIELDS.map(([name, requirement, value]) =>
        proof(requirement, `nested sender: ${name}`, async (scene) => {
          expect((await made(scene, {})).sender[name]).toEqual(value)
        }),
      ),
      proof('TPL-6', 'nested sender: reply_to', async (scene) => {
        const sender = await scene.made('sender', { reply_to: 'answers@example.test' })
        expect((await made(scene, { sender_id: sender.id })).sender.reply_to).toBe('answers@example.test')
      }),
    ],
  },
  {
    heading: 'templates: fields',
    rows: [
      ...lengths('TPL-2', withField('name'), {
        field: 'name',
        accepted: creates({ name: '😀'.repeat(255) }),
      }),
      ...lengths('TPL-2', withField('subject'), {
        field: 'subject',
        accepted: creates({ subject: '😀'.repeat(255) }),
      }),
      ...lengths(
        'TPL-2',
        (text: string, scene) => template({ reply_to: `${text.slice(0, -7)}@b.test` }, scene),
        { field: 'reply_to', character: 'r', accepted: ({ status }) => expect([201, 422]).toContain(status) },
      ).slice(1),
      ...['name', 'subject', 'html_content', 'text_content', 'reply_to'].flatMap((field) =>
        cases('TPL-6', withField(field), [[`${field} a number`, 1, mustBeString(field)]]),
      ),
      ...cases('TPL-3', withField('sender_id'), [
        ['unknown', UNKNOWN_ID, refusesField('sender_id')],
        ['no uuid', 'x', refusesField('sender_id')],
      ]),
      {
        requirement: 'TPL-3',
        by: "another team's",
        asks: async (scene) => {
          const other = await scene.freshSender()
          const body = { name: 'Theirs', username: 'x', domain_id: other.domainId }
          const { json } = await other.ask('POST /senders', body)
          expect(json.id).toEqual(aUuid)
          return template({ sender_id: json.id }, scene)
        },
        answers: refusesField('sender_id'),
      },
      ...cases('TPL-2', withField('folder_id'), [
        ['null', null, creates({ folder_id: null })],
        ['unknown', UNKNOWN_ID, refusesField('folder_id')],
      ]),
      proof('TPL-2', 'a folder', async (scene) => {
        const folder = await scene.made('folder')
        expect((await made(scene, { folder_id: folder.id })).folder_id).toBe(folder.id)
      }),
      ...cases('TPL-4', withField('status'), [
        ['absent', undefined, creates({ status: 'published' })],
        ['draft', 'draft', creates({ status: 'draft' })],
        ['published', 'published', creates({ status: 'published' })],
        ['frob', 'frob', refusesField('status')],
      ]),
      ...cases('TPL-7', withField('variables'), [
        ['none', [], creates({ variables: [] })],
        ['a text', 'x', refusesField('variables')],
        ['no key', [{ type: 'string' }], required('variables.0.key')],
      ]),
    ],
  },
  {
    heading: 'templates',
    rows: [
      ...['name', 'sender_id', 'subject'].flatMap((field) =>
        cases('TPL-1', withField(field), [
          [`${field} absent`, undefined, required(field)],
          [`${field} null`, null, refusesField(field)],
        ]),
      ),
      {
        requirement: 'TPL-1',
        by: 'no content',
        asks: (scene) => template({ html_content: undefined }, scene),
        answers: ({ status, json }) => {
          expect([status, json.name]).toEqual([422, 'validation_error'])
          expect(json.message).toMatch(/^The (html_content|text_content) field is required/)
        },
      },
      {
        requirement: 'TPL-1',
        by: 'text alone',
        asks: (scene) => template({ html_content: undefined, text_content: 'Hi' }, scene),
        answers: creates({ text_content: 'Hi' }),
      },
      {
        requirement: 'TPL-1',
        by: 'html and text',
        asks: (scene) => template({ html_content: undefined, html: '<b>Hi</b>', text: 'Hi' }, scene),
        answers: creates({ html_content: '<b>Hi</b>', text_content: 'Hi' }),
      },
      proof('TPL-1', 'from', async (scene) => {
        const sender = await scene.made('sender', { name: 'From' })
        const fields = { sender_id: undefined, from: `From <${sender.email}>` }
        expect((await made(scene, fields)).sender.email).toBe(sender.email)
      }),
      proof('TPL-4', 'there and back', async (scene) => {
        const { id } = await made(scene, {})
        for (const status of ['draft', 'published', 'draft']) {
          const reply = await scene.ask(`PUT /templates/${id}`, { status })
          expect([reply.status, reply.json.status]).toEqual([200, status])
        }
      }),
      proof('TPL-4', 'publish', async (scene) => {
        const { id } = await made(scene, { status: 'draft' })
        const reply = await scene.ask(`POST /templates/${id}/publish`)
        expect([reply.status, reply.json.id]).toEqual([200, id])
        expect((await scene.ask(`GET /templates/${id}`)).json.status).toBe('published')
      }),
      proof('TPL-4', 'duplicate', async (scene) => {
        const { id } = await made(scene, WHOLE)
        const reply = await scene.ask(`POST /templates/${id}/duplicate`)
        expect(reply.status).toBe(201)
        expect(reply.json.id).not.toBe(id)
        const copy = (await scene.ask(`GET /templates/${reply.json.id}`)).json
        const { subject, html_content, text_content, reply_to, variables } = WHOLE
        expect(copy).toMatchObject({ subject, html_content, text_content, reply_to, variables })
      }),
      proof('TPL-5', 'preview', async (scene) => {
        const { id } = await made(scene, WHOLE)
        const before = (await scene.ask('GET /emails')).json.meta.total
        const reply = await scene.ask(`POST /templates/${id}/preview`, { variables: { NAME: 'A&B' } })
        expect(reply.status, reply.text).toBe(200)
        expect(reply.json).toMatchObject({ subject: 'Hi A&B', html: '<p>A&amp;B</p>', text: 'A&B' })
        expect((await scene.ask('GET /emails')).json.meta.total).toBe(before)
      }),
      proof('TPL-5', 'preview of a draft', async (scene) => {
        const { id } = await made(scene, { status: 'draft' })
        expect((await scene.ask(`POST /templates/${id}/preview`, {})).status).toBe(200)
      }),
      ...cases(
        'TPL-7',
        (key: string, scene) => template({ variables: [{ key, type: 'string', fallback_value: '' }] }, scene),
        [
          ['one', 'a', 201],
          ['a low line', '_', 201],
          ['64', 'k'.repeat(64), 201],
          ['65', 'k'.repeat(65), refusesField('variables.0.key')],
          ['a digit first', '1a', refusesField('variables.0.key')],
          ['a hyphen', 'a-b', refusesField('variables.0.key')],
          ['beyond ASCII', 'é', refusesField('variables.0.key')],
        ],
      ),
      ...cases(
        'TPL-7',
        (type: unknown, scene) => template({ variables: [{ key: 'a', type, fallback_value: '1' }] }, scene),
        [
          ['string', 'string', 201],
          ['number', 'number', 201],
          ['date', 'date', refusesField('variables.0.type')],
        ],
      ),
    ],
  },
  {
    heading: 'folders and senders',
    rows: [
      ...cases('FLD-1', (name: unknown): Request => ['POST /template-folders', { name }], [
        ['255', '😀'.repeat(255), creates({ name: '😀'.repeat(255) })],
        ['256', '😀'.repeat(256), refusesField('name')],
        ['absent', undefined, required('name')],
        ['a number', 1, mustBeString('name')],
      ]),
      proof('FLD-1', 'all of it', async ({ ask }) => {
        const { json } = await ask('POST /template-folders', { name: 'One' })
        const path = `/template-folders/${json.id}`
        expect((await ask(`GET ${path}`)).json).toMatchObject({ id: json.id, name: 'One' })
        expect((await ask(`PUT ${path}`, { name: 'Two' })).json.name).toBe('Two')
        expect((await ask(`DELETE ${path}`)).status).toBe(200)
        expect((await ask(`GET ${path}`)).status).toBe(404)
      }),
      ...cases('SND-1', senderWith('name'), [
        ['255', '😀'.repeat(255), creates({ name: '😀'.repeat(255) })],
        ['256', '😀'.repeat(256), refusesField('name')],
        ['absent', undefined, required('name')],
      ]),
      ...cases('SND-1', senderWith('username'), [
        ['64', 'u'.repeat(64), creates({ username: 'u'.repeat(64) })],
        ['65', 'u'.repeat(65), refusesField('username')],
        ['absent', undefined, required('username')],
        ['a space', 'a b', refusesField('username')],
      ]),
      {
        requirement: 'SND-1',
        by: 'the second of a name',
        asks: async (scene) => senderWith('username')((await scene.made('sender')).username, scene),
        answers: { status: 409, json: { statusCode: 409, name: 'conflict' } },
      },
      ...cases('SND-1', senderWith('domain_id'), [
        ['absent', undefined, required('domain_id')],
        ['unknown', UNKNOWN_ID, refusesField('domain_id')],
      ]),
      ...cases('SND-1', senderWith('reply_to'), [
        ['an address', 'r@example.test', creates({ reply_to: 'r@example.test' })],
        ['no address', 'nobody', refusesField('reply_to')],
      ]),
      proof('SND-1', 'on creation and change', async (scene) => {
        const { id, email, username } = await scene.made('sender', { email: 'x@evil.test' })
        expect(email).toBe(`${username}@${scene.sender.domain}`)
        const renamed = unique('renamed')
        const reply = await scene.ask(`PUT /senders/${id}`, { username: renamed, email: 'x@evil.test' })
        expect(reply.json.email).toBe(`${renamed}@${scene.sender.domain}`)
      }),
      ...['sender', 'folder', 'template', 'list', 'segment'].map((kind) =>
        proof('API-24', kind, async (scene) => {
          const record = kind === 'template' ? await made(scene, {}) : await scene.made(kind as 'list')
          expect(record.object).toBeTypeOf('string')
        }),
      ),
    ],
  },
  {
    heading: 'folders and senders: delete and use',
    rows: [
      proof('FLD-1', 'DELETE', async (scene) => {
        const folder = await scene.made('folder')
        const { id } = await made(scene, { folder_id: folder.id })
        expect((await scene.ask(`DELETE /template-folders/${folder.id}`)).status).toBe(200)
        expect((await scene.ask(`GET /templates/${id}`)).json).toMatchObject({ id, folder_id: null })
      }),
      proof('SND-2', 'a campaign', async (scene) => {
        const { id } = await scene.made('sender')
        const campaign = await scene.made('campaign', { sender_id: id })
        const message = 'This sender is used by campaigns and cannot be deleted.'
        await checkConflict(scene, `DELETE /senders/${id}`, message)
        await scene.ask(`DELETE /campaigns/${campaign.id}`)
        expect((await scene.ask(`DELETE /senders/${id}`)).status).toBe(200)
      }),
    ],
  },
  {
    heading: 'senders in use',
    rows: [
      proof('SND-2', 'a template', async (scene) => {
        const { id } = await scene.made('sender')
        const used = await made(scene, { sender_id: id })
        const message = 'This sender is used by templates and cannot be deleted.'
        await checkConflict(scene, `DELETE /senders/${id}`, message)
        await scene.ask(`DELETE /templates/${used.id}`)
        expect((await scene.ask(`DELETE /senders/${id}`)).status).toBe(200)
      }),
    ],
  },
]

function senderWith(field: string) {
  return (value: unknown, scene: Scene): Request => {
    const whole = { name: 'Ann', username: unique('u'), domain_id: scene.sender.domainId }
    return ['POST /senders', { ...whole, [field]: value }]
  }
}

async function checkConflict(scene: Scene, route: string, message: string): Promise<void> {
  const exactly = { statusCode: 409, name: 'conflict', message }
  await checkAnswer(await scene.ask(route), { status: 409, exactly }, scene)
}

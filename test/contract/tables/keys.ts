import { expect } from 'vitest'
import { inDays, UNKNOWN_ID } from '../known.ts'
import { unique } from '../resources.ts'
import {
  aTime,
  aUuid,
  cases,
  checkAnswer,
  creates,
  error,
  mustBeString,
  NOT_FOUND,
  proof,
  type Request,
  refusesField,
  required,
  type Section,
} from '../row.ts'
import type { Scene } from '../scene.ts'

const creating = (fields: Record<string, unknown>): Request => [
  'POST /api-keys',
  { name: unique('k'), ...fields },
]
const withField = (field: string) => (value: unknown) => creating({ [field]: value })
const invalid = error(401, 'invalid_api_key', 'Invalid API key.')
const restricted = { status: 403, json: { statusCode: 403, name: 'restricted_api_key' } }

/** As the list shows it; it has been used once. */
async function listed(scene: Scene) {
  const { id, token } = (await scene.ask(...creating({}))).json
  await scene.askAs(token)('GET /usage')
  const { json } = await scene.ask('GET /api-keys?per_page=100')
  return json.data.find((key: { id: string }) => key.id === id)
}

const FIELDS: readonly (readonly [name: string, quote: string, value: unknown])[] = [
  ['id', 'id | string (uuid)', aUuid],
  ['name', 'name | string', expect.stringMatching(/^k\d+$/)],
  ['permission', 'permission | string | Value shown: `full`.', 'full'],
  ['domain_id', 'domain_id | string (uuid)\\|null', null],
  ['status', 'status | string | Value shown: `active`.', 'active'],
  ['expires_at', 'expires_at | timestamp\\|null', null],
  ['last_used_at', 'last_used_at | timestamp', expect.toBeOneOf([null, aTime])],
  ['created_at', 'created_at | timestamp', aTime],
]

export const keySections: readonly Section[] = [
  {
    document: 'service.md',
    heading: 'API key (as listed)',
    rows: [
      ...FIELDS.map(([name, quote, value]) =>
        proof(quote, name, async (scene) => {
          expect((await listed(scene))[name]).toEqual(value)
        }),
      ),
      proof('The key secret is not part of the listed record.', 'list and read', async (scene) => {
        const { id, token } = (await scene.ask(...creating({}))).json
        for (const path of ['/api-keys?per_page=100', `/api-keys/${id}`]) {
          expect((await scene.ask(`GET ${path}`)).text).not.toContain(token.slice(8))
        }
        expect((await scene.ask(`GET /api-keys/${id}`)).json).not.toHaveProperty('token')
      }),
    ],
  },
  {
    document: 'decisions.md',
    heading: '3. Keys',
    rows: [
      proof('A key is `sw_` + 40 base62 characters', 'token', async ({ ask }) => {
        expect((await ask(...creating({}))).json.token).toMatch(/^sw_[0-9A-Za-z]{40}$/)
      }),
      proof("(`token`, beside the record's fields)", 'on creation', async ({ ask }) => {
        const { id, token, ...record } = (await ask(...creating({}))).json
        expect((await ask(`GET /api-keys/${id}`)).json).toEqual({ id, ...record })
        expect(token).toBeTypeOf('string')
      }),
      ...cases('`permission`: `full` or `send`', withField('permission'), [
        ['full', 'full', creates({ permission: 'full' })],
        ['send', 'send', creates({ permission: 'send' })],
        ['frob', 'frob', refusesField('permission')],
        ['a number', 1, refusesField('permission')],
      ]),
      ...cases(
        '(`full_access` and `sending_access` are accepted and stored as these)',
        withField('permission'),
        [
          ['full_access', 'full_access', creates({ permission: 'full' })],
          ['sending_access', 'sending_access', creates({ permission: 'send' })],
        ],
      ),
      ...cases('Endpoints: `POST /api-keys` (name, permission, domain_id, expires_at)', withField('name'), [
        ['no name', undefined, required('name')],
        ['a number', 1, mustBeString('name')],
      ]),
      ...cases(
        'Endpoints: `POST /api-keys` (name, permission, domain_id, expires_at)',
        withField('domain_id'),
        [['an unknown domain', UNKNOWN_ID, refusesField('domain_id')]],
      ),
      ...cases('`expires_at` optional.', withField('expires_at'), [
        ['absent', undefined, creates({ expires_at: null })],
        ['tomorrow', inDays(1), creates({ expires_at: aTime })],
        ['no time', 'x', refusesField('expires_at')],
      ]),
      proof('`domain_id` limits sending to that domain.', '403 from another', async (scene) => {
        const own = await scene.made('domain')
        const { token } = (await scene.ask(...creating({ permission: 'send', domain_id: own.id }))).json
        await checkAnswer(await scene.askAs(token)('POST /emails', scene.sender.email()), restricted, scene)
        const good = (await scene.ask(...creating({ permission: 'send', domain_id: scene.sender.domainId })))
          .json
        expect((await scene.askAs(good.token)('POST /emails', scene.sender.email())).status).toBe(202)
      }),
      proof('`status`: `active`, `expired`, `revoked`.', 'all three', async (scene) => {
        const { id, status } = (await scene.ask(...creating({ expires_at: inDays(1) }))).json
        await expire(scene, id)
        const expired = (await scene.ask(`GET /api-keys/${id}`)).json.status
        await scene.ask(`DELETE /api-keys/${id}`)
        const revoked = (await scene.ask(`GET /api-keys/${id}`)).json.status
        expect([status, expired, revoked]).toEqual(['active', 'expired', 'revoked'])
      }),
      proof('also for expired and revoked keys', 'revoked', async (scene) => {
        const { id, token } = (await scene.ask(...creating({}))).json
        expect((await scene.askAs(token)('GET /usage')).status).toBe(200)
        expect((await scene.ask(`DELETE /api-keys/${id}`)).json).toMatchObject({ id, deleted: true })
        await checkAnswer(await scene.askAs(token)('GET /usage'), invalid, scene)
      }),
      proof('also for expired and revoked keys', 'expired', async (scene) => {
        const { id, token } = (await scene.ask(...creating({ expires_at: inDays(1) }))).json
        await expire(scene, id)
        await checkAnswer(await scene.askAs(token)('GET /usage'), invalid, scene)
      }),
      proof('`last_used_at` is null before the first use', 'on creation', async ({ ask }) => {
        expect((await ask(...creating({}))).json.last_used_at).toBeNull()
      }),
      ...['PUT', 'PATCH'].map((method) =>
        proof('`GET|PUT|DELETE /api-keys/{id}`; DELETE revokes.', method, async ({ ask }) => {
          const { id } = (await ask(...creating({}))).json
          const reply = await ask(`${method} /api-keys/${id}`, { name: 'renamed', status: 'revoked' })
          expect([reply.status, reply.json.name, reply.json.status]).toEqual([200, 'renamed', 'active'])
          expect((await ask(`GET /api-keys/${id}`)).json.name).toBe('renamed')
        }),
      ),
      proof('A key cannot create one mightier than itself.', 'send', async (scene) => {
        const { token } = (await scene.ask(...creating({ permission: 'send' }))).json
        await checkAnswer(await scene.askAs(token)(...creating({ permission: 'full' })), restricted, scene)
      }),
      proof('A key cannot create one mightier than itself.', 'full for one domain', async (scene) => {
        const { token } = (await scene.ask(...creating({ domain_id: scene.sender.domainId }))).json
        const reply = await scene.askAs(token)(...creating({}))
        if (reply.status === 201) expect(reply.json.domain_id).toBe(scene.sender.domainId)
        else await checkAnswer(reply, restricted, scene)
      }),
      proof(
        "another team's id answers byte for byte like an id that never existed.",
        'a key',
        async (scene) => {
          const other = await scene.fresh()
          await checkAnswer(await scene.ask(`DELETE /api-keys/${other.keyId}`), NOT_FOUND, scene)
          expect((await other.ask('GET /usage')).status).toBe(200)
        },
      ),
    ],
  },
]

/** Moves the end of a key into the past, which no request can. */
async function expire(scene: Scene, id: string): Promise<void> {
  const past = new Date(Date.now() - 60_000)
  await scene.service.db.query('update api_key set expires_at = $2 where id = $1', [id, past])
}

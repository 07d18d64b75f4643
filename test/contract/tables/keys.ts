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

/** Returns a key from the list after one use. */
async function listed(scene: Scene) {
  const { id, token } = (await scene.ask(...creating({}))).json
  await scene.askAs(token)('GET /usage')
  const { json } = await scene.ask('GET /api-keys?per_page=100')
  return json.data.find((key: { id: string }) => key.id === id)
}

const FIELDS: readonly (readonly [name: string, requirement: string, value: unknown])[] = [
  ['id', 'KEY-12', aUuid],
  ['name', 'KEY-12', expect.stringMatching(/^k\d+$/)],
  ['permission', 'KEY-12', 'full'],
  ['domain_id', 'KEY-12', null],
  ['status', 'KEY-12', 'active'],
  ['expires_at', 'KEY-12', null],
  ['last_used_at', 'KEY-12', expect.toBeOneOf([null, aTime])],
  ['created_at', 'KEY-12', aTime],
]

export const keySections: readonly Section[] = [
  {
    heading: 'API keys: the record',
    rows: [
      ...FIELDS.map(([name, requirement, value]) =>
        proof(requirement, name, async (scene) => {
          expect((await listed(scene))[name]).toEqual(value)
        }),
      ),
      proof('KEY-3', 'list and read', async (scene) => {
        const { id, token } = (await scene.ask(...creating({}))).json
        for (const path of ['/api-keys?per_page=100', `/api-keys/${id}`]) {
          expect((await scene.ask(`GET ${path}`)).text).not.toContain(token.slice(8))
        }
        expect((await scene.ask(`GET /api-keys/${id}`)).json).not.toHaveProperty('token')
      }),
    ],
  },
  {
    heading: 'API keys',
    rows: [
      proof('KEY-2', 'token', async ({ ask }) => {
        expect((await ask(...creating({}))).json.token).toMatch(/^sw_[0-9A-Za-z]{40}$/)
      }),
      proof('KEY-3', 'on creation', async ({ ask }) => {
        const { id, token, ...record } = (await ask(...creating({}))).json
        expect((await ask(`GET /api-keys/${id}`)).json).toEqual({ id, ...record })
        expect(token).toBeTypeOf('string')
      }),
      ...cases('KEY-4', withField('permission'), [
        ['full', 'full', creates({ permission: 'full' })],
        ['send', 'send', creates({ permission: 'send' })],
        ['frob', 'frob', refusesField('permission')],
        ['a number', 1, refusesField('permission')],
      ]),
      ...cases('KEY-4', withField('permission'), [
        ['full_access', 'full_access', creates({ permission: 'full' })],
        ['sending_access', 'sending_access', creates({ permission: 'send' })],
      ]),
      ...cases('KEY-10', withField('name'), [
        ['no name', undefined, required('name')],
        ['a number', 1, mustBeString('name')],
      ]),
      ...cases('KEY-10', withField('domain_id'), [
        ['an unknown domain', UNKNOWN_ID, refusesField('domain_id')],
      ]),
      ...cases('KEY-7', withField('expires_at'), [
        ['absent', undefined, creates({ expires_at: null })],
        ['tomorrow', inDays(1), creates({ expires_at: aTime })],
        ['no time', 'x', refusesField('expires_at')],
      ]),
      proof('KEY-6', '403 from another', async (scene) => {
        const own = await scene.made('domain')
        const { token } = (await scene.ask(...creating({ permission: 'send', domain_id: own.id }))).json
        await checkAnswer(await scene.askAs(token)('POST /emails', scene.sender.email()), restricted, scene)
        const good = (await scene.ask(...creating({ permission: 'send', domain_id: scene.sender.domainId })))
          .json
        expect((await scene.askAs(good.token)('POST /emails', scene.sender.email())).status).toBe(202)
      }),
      proof('KEY-7', 'all three', async (scene) => {
        const { id, status } = (await scene.ask(...creating({ expires_at: inDays(1) }))).json
        await expire(scene, id)
        const expired = (await scene.ask(`GET /api-keys/${id}`)).json.status
        await scene.ask(`DELETE /api-keys/${id}`)
        const revoked = (await scene.ask(`GET /api-keys/${id}`)).json.status
        expect([status, expired, revoked]).toEqual(['active', 'expired', 'revoked'])
      }),
      proof('ERR-3', 'revoked', async (scene) => {
        const { id, token } = (await scene.ask(...creating({}))).json
        expect((await scene.askAs(token)('GET /usage')).status).toBe(200)
        expect((await scene.ask(`DELETE /api-keys/${id}`)).json).toMatchObject({ id, deleted: true })
        await checkAnswer(await scene.askAs(token)('GET /usage'), invalid, scene)
      }),
      proof('ERR-3', 'expired', async (scene) => {
        const { id, token } = (await scene.ask(...creating({ expires_at: inDays(1) }))).json
        await expire(scene, id)
        await checkAnswer(await scene.askAs(token)('GET /usage'), invalid, scene)
      }),
      proof('KEY-8', 'on creation', async ({ ask }) => {
        expect((await ask(...creating({}))).json.last_used_at).toBeNull()
      }),
      ...['PUT', 'PATCH'].map((method) =>
        proof('KEY-10', method, async ({ ask }) => {
          const { id } = (await ask(...creating({}))).json
          const reply = await ask(`${method} /api-keys/${id}`, { name: 'renamed', status: 'revoked' })
          expect([reply.status, reply.json.name, reply.json.status]).toEqual([200, 'renamed', 'active'])
          expect((await ask(`GET /api-keys/${id}`)).json.name).toBe('renamed')
        }),
      ),
      proof('KEY-11', 'send', async (scene) => {
        const { token } = (await scene.ask(...creating({ permission: 'send' }))).json
        await checkAnswer(await scene.askAs(token)(...creating({ permission: 'full' })), restricted, scene)
      }),
      proof('KEY-11', 'full for one domain', async (scene) => {
        const { token } = (await scene.ask(...creating({ domain_id: scene.sender.domainId }))).json
        const reply = await scene.askAs(token)(...creating({}))
        if (reply.status === 201) expect(reply.json.domain_id).toBe(scene.sender.domainId)
        else await checkAnswer(reply, restricted, scene)
      }),
      proof('API-17', 'a key', async (scene) => {
        const other = await scene.fresh()
        await checkAnswer(await scene.ask(`DELETE /api-keys/${other.keyId}`), NOT_FOUND, scene)
        expect((await other.ask('GET /usage')).status).toBe(200)
      }),
    ],
  },
]

/** Moves the expiry of a key into the past, which no request can do. */
async function expire(scene: Scene, id: string): Promise<void> {
  const past = new Date(Date.now() - 60_000)
  await scene.service.db.query('update api_key set expires_at = $2 where id = $1', [id, past])
}

import Type, { type Static } from 'typebox'
import { type ApiKey, findKey, KEY_COUNTER, listKeys, type Permission } from '../access/keys-queries.ts'
import type { Config } from '../config/config.ts'
import { readCounter } from '../db/counters.ts'
import type { Db } from '../db/db-types.ts'
import { EXAMPLES } from '../events/example-values.ts'
import { listOf, listToJson, PageQuery, readPage } from '../http/page.ts'
import { deletedToJson } from '../http/present.ts'
import { type Audited, aliasOf, type Request, type Route, routesOf } from '../http/route.ts'
import { Deleted, IdParams, Timestamp, TimestampOrNull, Uuid } from '../http/schemas.ts'
import { ApiError, invalidField } from '../lib/api-error.ts'
import type { Clock } from '../lib/time/clock.ts'
import { formatTime } from '../lib/time/format-time.ts'
import { parseInstant } from '../lib/time/scheduled-at.ts'
import { changeKey, createKey, type KeyInput, revokeKey } from './access.ts'

interface Deps {
  config: Config
  db: Db
  clock: Clock
  forgetAccess(): void
}

const { route } = routesOf<Deps>()

const fields = {
  object: Type.Literal('api_key'),
  id: Uuid,
  name: Type.String({ description: 'A name for people.' }),
  permission: Type.Enum(['full', 'send']),
  domain_id: Type.Union([Uuid, Type.Null()]),
  status: Type.Enum(['active', 'expired', 'revoked']),
  prefix: Type.String({ description: 'The first 8 characters of the key.' }),
  expires_at: TimestampOrNull,
  last_used_at: TimestampOrNull,
  created_at: Timestamp,
}

export const KeyRecord = Type.Object(fields, { title: 'ApiKey', examples: [EXAMPLES.apiKey] })
export const NewKeyRecord = Type.Object(
  {
    ...fields,
    token: Type.String({ description: 'The key itself. Shown this once.' }),
  },
  { title: 'ApiKeyWithToken', examples: [EXAMPLES.newApiKey] },
)

const changeable = {
  permission: Type.Optional(
    Type.Enum(['full', 'send', 'full_access', 'sending_access'], {
      description:
        '`send` may call `POST /emails*` and `GET /emails/{id}` and nothing else. `full_access` and `sending_access` are other words for `full` and `send`.',
      default: 'full',
    }),
  ),
  domain_id: Type.Optional(
    Type.Union([Uuid, Type.Null()], { description: 'Set: the key sends from this domain only.' }),
  ),
  expires_at: Type.Optional(
    Type.Union([Type.String(), Type.Null()], {
      description: 'ISO 8601, in the future; UTC without an offset.',
    }),
  ),
}
const Name = Type.String({ minLength: 1, maxLength: 255, description: 'For people. Need not be unique.' })
const KeyChanges = Type.Object(
  { name: Type.Optional(Name), ...changeable },
  { examples: [{ name: 'Shop backend, new' }] },
)
const NewKey = Type.Object(
  { name: Name, ...changeable },
  { examples: [{ name: 'Shop backend', permission: 'send' }] },
)

function keyToJson(key: ApiKey, now: Date) {
  return {
    object: 'api_key',
    id: key.id,
    name: key.name,
    permission: key.permission,
    domain_id: key.domainId,
    status: statusOf(key, now),
    prefix: key.prefix,
    expires_at: formatTime(key.expiresAt),
    last_used_at: formatTime(key.lastUsedAt),
    created_at: formatTime(key.createdAt),
  }
}

function statusOf(key: ApiKey, now: Date): 'active' | 'expired' | 'revoked' {
  if (key.revokedAt !== null) return 'revoked'
  return key.expiresAt !== null && key.expiresAt.getTime() <= now.getTime() ? 'expired' : 'active'
}

/** Only what the request names. */
function readChanges(body: Static<typeof KeyChanges>): Partial<KeyInput> {
  const changes: Partial<KeyInput> = {}
  if (body.name !== undefined) changes.name = body.name
  if (body.permission !== undefined) changes.permission = readPermission(body.permission)
  if (body.domain_id !== undefined) changes.domainId = body.domain_id
  if (body.expires_at !== undefined) changes.expiresAt = readExpiry(body.expires_at)
  return changes
}

function readPermission(word: string): Permission {
  return word === 'full' || word === 'full_access' ? 'full' : 'send'
}

function readExpiry(text: string | null): Date | null {
  if (text === null) return null
  const at = parseInstant(text)
  if (at === null) throw invalidField('expires_at', 'The expires_at field must be an ISO 8601 timestamp.')
  return at
}

const common = { tag: 'API keys', permission: 'full', limit: 'general' } as const
const one = { description: 'The key, without its secret.', schema: KeyRecord }

const postKey = route('POST', '/api-keys', {
  ...common,
  operationId: 'createApiKey',
  action: 'api-keys.create',
  summary: 'Create an API key',
  description:
    'The response contains the key itself, this once. A key cannot create a key with more permissions than its own.',
  body: NewKey,
  responses: { 201: { description: 'The new key.', schema: NewKeyRecord } },
  async handle({ caller, body, audited, deps: { clock } }) {
    const now = clock.now()
    const input = {
      permission: 'full',
      domainId: null,
      expiresAt: null,
      ...readChanges(body),
      name: body.name,
    } as const
    const { key, token } = await audited.transaction((tx) => createKey(tx, caller.teamId, input, caller, now))
    return { status: 201, json: { ...keyToJson(key, now), token } }
  },
})

const getKeys = route('GET', '/api-keys', {
  ...common,
  operationId: 'listApiKeys',
  summary: 'List API keys',
  description: 'Newest first, without secrets. Revoked keys are included.',
  query: PageQuery,
  responses: { 200: { description: 'Newest first.', schema: listOf(KeyRecord) } },
  async handle({ caller, query, deps: { db, clock, config } }) {
    const page = readPage(query)
    const { rows, hasMore } = await listKeys(db, caller.teamId, page)
    const total = await readCounter(db, caller.teamId, KEY_COUNTER)
    const list = { publicUrl: config.publicUrl, path: '/api-keys', query, page, total, hasMore }
    return {
      status: 200,
      json: listToJson({ ...list, data: rows.map((key) => keyToJson(key, clock.now())) }),
    }
  },
})

const getKey = route('GET', '/api-keys/:id', {
  ...common,
  operationId: 'getApiKey',
  summary: 'Get an API key',
  description: 'The secret is returned only when the key is created.',
  params: IdParams,
  responses: { 200: one },
  async handle({ caller, params, deps: { db, clock } }) {
    const key = await findKey(db, caller.teamId, params.id)
    if (key === null) throw new ApiError('not_found')
    return { status: 200, json: keyToJson(key, clock.now()) }
  },
})

async function putKey({
  caller,
  params,
  body,
  audited,
  deps: { clock, forgetAccess },
}: Request<Static<typeof IdParams>, unknown, Static<typeof KeyChanges>, Deps> & Audited) {
  const now = clock.now()
  const key = await audited.transaction((tx) =>
    changeKey(tx, caller.teamId, params.id, readChanges(body), caller, now),
  )
  forgetAccess()
  return { status: 200, json: keyToJson(key, now) }
}

const changing = {
  ...common,
  operationId: 'updateApiKey',
  action: 'api-keys.update',
  summary: 'Update an API key',
  description: 'Changes only the fields you send. The secret never changes.',
  params: IdParams,
  body: KeyChanges,
  responses: { 200: one },
  handle: putKey,
}

const deleteKey = route('DELETE', '/api-keys/:id', {
  ...common,
  operationId: 'revokeApiKey',
  action: 'api-keys.delete',
  summary: 'Revoke an API key',
  description:
    'The key stops working immediately in this process and within a second in every other. Its record remains, with the status `revoked`.',
  params: IdParams,
  responses: { 200: { description: 'The key was revoked.', schema: Deleted } },
  async handle({ caller, params, audited, deps: { clock, forgetAccess } }) {
    const key = await audited.transaction((tx) => revokeKey(tx, caller.teamId, params.id, clock.now()))
    forgetAccess()
    if (key === null) throw new ApiError('not_found')
    return { status: 200, json: deletedToJson('api_key', key.id) }
  },
})

const patchOne = route('PATCH', '/api-keys/:id', changing)

export const apiKeyRoutes: readonly Route<Deps>[] = [
  postKey,
  getKeys,
  getKey,
  patchOne,
  aliasOf(patchOne, { method: 'PUT' }),
  deleteKey,
]

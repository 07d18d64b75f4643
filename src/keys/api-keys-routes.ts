import { deletedToJson } from '../http/route/present.ts'
import { type ResourceDeps, resource } from '../http/route/resource.ts'
import { aliasOf, type Route, routesOf } from '../http/route/route.ts'
import { Deleted, IdParams } from '../http/route/schemas.ts'
import { orNotFound } from '../lib/api-error.ts'
import { KeyChanges, KeyRecord, keyToJson, NewKey, NewKeyRecord } from './api-key-schemas.ts'
import { changeKey, createKey, revokeKey } from './keys.ts'
import { findKey, KEY_COUNTER, listKeys } from './keys-queries.ts'
import { readKeyChanges } from './read-key-changes.ts'

interface Deps extends ResourceDeps {
  forgetAccess(): void
}

const { route } = routesOf<Deps>()

const common = { tag: 'API keys', permission: 'full', limit: 'general' } as const
const keys = resource<Deps>('/api-keys', 'api_key', common)
const one = { description: 'The key, without its secret.', schema: KeyRecord }

const postKey = route('POST', '/api-keys', {
  ...common,
  operationId: 'createApiKey',
  action: 'api-keys.create',
  summary: 'Create an API key',
  description:
    'Only this response contains the key itself. A key cannot create a key with more permissions than its own.',
  body: NewKey,
  responses: { 201: { description: 'The new key.', schema: NewKeyRecord } },
  async handle({ caller, body, audited, deps: { clock } }) {
    const now = clock.now()
    const input = {
      permission: 'full',
      domainId: null,
      expiresAt: null,
      ...readKeyChanges(body),
      name: body.name,
    } as const
    const { key, token } = await audited.transaction((tx) => createKey(tx, caller.teamId, input, caller, now))
    return { status: 201, json: { ...keyToJson(key, now), token } }
  },
})

const getKeys = keys.list('listApiKeys', 'List API keys', {
  description: 'Newest first, without secrets. Revoked keys are included.',
  schema: KeyRecord,
  read: listKeys,
  counter: KEY_COUNTER,
  toJson: (key, { deps: { clock } }) => keyToJson(key, clock.now()),
})

const getKey = keys.get('getApiKey', 'Get an API key', {
  description: 'The secret is returned only when the key is created.',
  response: one,
  read: findKey,
  toJson: (key, { deps: { clock } }) => keyToJson(key, clock.now()),
})

const patchKey = route('PATCH', '/api-keys/:id', {
  ...common,
  operationId: 'updateApiKey',
  action: 'api-keys.update',
  summary: 'Update an API key',
  description: 'Changes only the fields you send. The secret never changes.',
  params: IdParams,
  body: KeyChanges,
  responses: { 200: one },
  async handle({ caller, params, body, audited, deps: { clock, forgetAccess } }) {
    const now = clock.now()
    const key = await audited.transaction((tx) =>
      changeKey(tx, caller.teamId, params.id, readKeyChanges(body), caller, now),
    )
    forgetAccess()
    return { status: 200, json: keyToJson(key, now) }
  },
})

const deleteKey = route('DELETE', '/api-keys/:id', {
  ...common,
  operationId: 'revokeApiKey',
  action: 'api-keys.delete',
  summary: 'Revoke an API key',
  description: 'The key stops working within a second. Its record remains, with the status `revoked`.',
  params: IdParams,
  responses: { 200: { description: 'The key was revoked.', schema: Deleted } },
  async handle({ caller, params, audited, deps: { clock, forgetAccess } }) {
    const key = await audited.transaction((tx) => revokeKey(tx, caller.teamId, params.id, clock.now()))
    forgetAccess()
    return { status: 200, json: deletedToJson('api_key', orNotFound(key).id) }
  },
})

export const apiKeyRoutes: readonly Route<Deps>[] = [
  postKey,
  getKeys,
  getKey,
  patchKey,
  aliasOf(patchKey, { method: 'PUT' }),
  deleteKey,
]

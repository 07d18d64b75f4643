import { deletedToJson } from '../http/route/present.ts'
import { Resource, type ResourceDeps } from '../http/route/resource.ts'
import { aliasOf, type Route, routesOf } from '../http/route/route.ts'
import { Deleted, IdParams } from '../http/route/schemas.ts'
import { orNotFound } from '../lib/api-error.ts'
import { KeyChanges, KeyRecord, keyToJson, NewKey, NewKeyRecord } from './api-key-schemas.ts'
import { newKeyToken } from './key-token.ts'
import { changeKey, createKey, type KeyInput, revokeKey } from './keys.ts'
import { type ApiKey, findKey, KEY_COUNTER, listKeys } from './keys-queries.ts'
import { readKeyChanges } from './read-key-changes.ts'

interface Deps extends ResourceDeps {
  forgetAccess(): void
}

const { route } = routesOf<Deps>()

const common = { area: 'apiKeys', permission: 'full' } as const
const keys = new Resource<ApiKey, Deps>('/api-keys', 'api_key', {
  ...common,
  noun: 'key, without its secret',
  schema: KeyRecord,
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
  responses: { 200: { description: 'The key, without its secret.', schema: KeyRecord } },
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
    const key = await audited.transaction((tx) =>
      revokeKey(tx, caller.teamId, params.id, caller, clock.now()),
    )
    forgetAccess()
    return { status: 200, json: deletedToJson('api_key', orNotFound(key).id) }
  },
})

export const apiKeyRoutes: readonly Route<Deps>[] = [
  keys.create('createApiKey', 'Create an API key', {
    description:
      'Only this response contains the key itself. A key cannot create a key with more permissions than its own.',
    response: 'The new key.',
    schema: NewKeyRecord,
    body: NewKey,
    bodyExtends: 'UpdateApiKeyRequest',
    input: (body): KeyInput => ({
      permission: 'full',
      domainId: null,
      expiresAt: null,
      ...readKeyChanges(body),
      name: body.name,
    }),
    create: (tx, teamId, input, now, { caller, deps: { config } }) =>
      createKey(tx, teamId, input, caller, now, newKeyToken(config.cell)),
    toJson: ({ key, token }, { deps: { clock } }) => ({ ...keyToJson(key, clock.now()), token }),
  }),
  keys.list('listApiKeys', 'List API keys', {
    description: 'Newest first, without secrets. Revoked keys are included.',
    read: listKeys,
    counter: KEY_COUNTER,
  }),
  keys.get('getApiKey', 'Get an API key', {
    description: 'The secret is returned only when the key is created.',
    read: findKey,
  }),
  patchKey,
  aliasOf(patchKey, { method: 'PUT' }),
  deleteKey,
]

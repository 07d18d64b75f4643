import type { Static } from 'typebox'
import { invalidField } from '../lib/api-error.ts'
import { parseInstant } from '../lib/time/scheduled-at.ts'
import type { KeyChanges } from './api-key-schemas.ts'
import type { KeyInput } from './keys.ts'
import type { Permission } from './keys-queries.ts'

/** Returns the fields that the request contains. Throws ApiError (422). */
export function readKeyChanges(body: Static<typeof KeyChanges>): Partial<KeyInput> {
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

import type { Static } from 'typebox'
import { invalidField } from '../lib/api-error.ts'
import { omitUndefined } from '../lib/omit-undefined.ts'
import { parseInstant } from '../lib/time/scheduled-at.ts'
import type { KeyChanges } from './api-key-schemas.ts'
import type { KeyInput } from './keys.ts'
import type { Permission } from './keys-queries.ts'

/** Returns the fields that the request contains. Throws ApiError (422). */
export function readKeyChanges(body: Static<typeof KeyChanges>): Partial<KeyInput> {
  const { name, permission, domain_id: domainId, expires_at: expiry } = body
  return omitUndefined({
    name,
    permission: permission && readPermission(permission),
    domainId,
    expiresAt: expiry === undefined ? undefined : readExpiry(expiry),
  })
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

import { randomBytes } from 'node:crypto'
import { deriveKey, seal, unseal } from '../../lib/crypto/seal.ts'

const SECRET_BYTES = 32
const PREFIX = 'whsec_'

/** The fields of a webhook's row that its signatures need. */
export interface SealedSecrets {
  teamId: string
  id: string
  sealedSecret: Buffer
  sealedOldSecret: Buffer | null
  oldSecretUntil: Date | null
}

/** Derives the key that seals webhook secrets. Called once per process. */
export function deriveWebhookKey(master: Buffer): Buffer {
  return deriveKey(master, 'webhook')
}

export function newWebhookSecret(): Buffer {
  return randomBytes(SECRET_BYTES)
}

export function sealWebhookSecret(key: Buffer, teamId: string, id: string, secret: Buffer): Buffer {
  return seal(key, secret, contextOf(teamId, id))
}

/** Returns the secrets that sign at a time, newest first. Throws if they were sealed with another key. */
export function openWebhookSecrets(key: Buffer, webhook: SealedSecrets, at: Date): [Buffer, ...Buffer[]] {
  const { teamId, id, sealedSecret, sealedOldSecret, oldSecretUntil } = webhook
  const open = (sealed: Buffer) => unseal(key, sealed, contextOf(teamId, id))
  const newest = open(sealedSecret)
  const isOldValid = sealedOldSecret !== null && oldSecretUntil !== null && oldSecretUntil > at
  return isOldValid ? [newest, open(sealedOldSecret)] : [newest]
}

/** Formats a secret for its owner, in the form of Standard Webhooks. */
export function formatWebhookSecret(secret: Buffer): string {
  return PREFIX + secret.toString('base64')
}

function contextOf(teamId: string, id: string): string {
  return `webhook ${teamId} ${id}`
}

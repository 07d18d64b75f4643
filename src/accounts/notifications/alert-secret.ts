import { deriveKey, seal, unseal } from '../../lib/crypto/seal.ts'
import { newWebhookSecret } from '../../webhooks/request/secrets.ts'

const keyOf = (master: Buffer) => deriveKey(master, 'alert webhook')
const contextOf = (teamId: string) => `alert webhook ${teamId}`

/** Returns a new signing secret of a team's alert webhook, sealed. */
export function sealNewAlertSecret(master: Buffer, teamId: string): Buffer {
  return seal(keyOf(master), newWebhookSecret(), contextOf(teamId))
}

/** Opens a sealed secret. Throws if it was sealed with another key, or for another team. */
export function openAlertSecret(master: Buffer, teamId: string, sealedSecret: Buffer): Buffer {
  return unseal(keyOf(master), sealedSecret, contextOf(teamId))
}

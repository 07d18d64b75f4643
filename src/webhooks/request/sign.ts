import { createHmac } from 'node:crypto'
import { hmacKey } from '../../lib/crypto/hmac-key.ts'
import { formatWebhookSecret } from './secrets.ts'

/**
 * Returns the headers that authenticate a webhook, by Standard Webhooks 1.0: `webhook-id`, `webhook-timestamp`
 * (seconds) and `webhook-signature`, one `v1,<base64>` for each secret, separated by spaces, each the HMAC-SHA256 of
 * `<id>.<timestamp>.<body>`. The headers of Svix have the same values. `X-Webhook-Signature` is SendKit's: the
 * HMAC-SHA256 of the body alone, in hex, keyed with the UTF-8 text of the secret as displayed, including `whsec_`. It
 * holds one signature, so during a rotation the newest secret signs it, as in SendKit.
 * @param secrets the decoded bytes after `whsec_`, newest first
 */
export function signWebhook(
  secrets: readonly Buffer[],
  id: string,
  at: Date,
  body: string,
): Record<string, string> {
  const [newest] = secrets
  if (newest === undefined) throw new Error('A webhook cannot be signed without a secret.')
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const signed = `${id}.${timestamp}.${body}`
  const signature = secrets.map((secret) => `v1,${hmac(secret, signed).toString('base64')}`).join(' ')
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signature,
    'svix-id': id,
    'svix-timestamp': timestamp,
    'svix-signature': signature,
    'x-webhook-signature': hmac(Buffer.from(formatWebhookSecret(newest), 'utf8'), body).toString('hex'),
  }
}

function hmac(secret: Buffer, text: string): Buffer {
  return createHmac('sha256', hmacKey(secret)).update(text, 'utf8').digest()
}

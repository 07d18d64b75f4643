import { createHmac } from 'node:crypto'

/**
 * Returns the headers with which Sendwright authenticates a webhook: those of Standard Webhooks 1.0, the same under
 * the names of Svix, and `X-Webhook-Signature`, the HMAC of the body in hex.
 * @param secret `whsec_` and base64
 */
export function signEvent(secret: string, id: string, at: Date, body: string): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1_000))
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const signature = `v1,${hmac(key, `${id}.${timestamp}.${body}`).toString('base64')}`
  const values = { id, timestamp, signature }
  return {
    ...Object.fromEntries(Object.entries(values).map(([name, value]) => [`webhook-${name}`, value])),
    ...Object.fromEntries(Object.entries(values).map(([name, value]) => [`svix-${name}`, value])),
    'x-webhook-signature': hmac(Buffer.from(secret), body).toString('hex'),
  }
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text, 'utf8').digest()
}

import type { Change } from '../../api/team.ts'

/** The idempotency keys of the requests that no response has answered yet, by email and body. */
export type ResendKeys = Map<string, string>

/**
 * Returns the request that sends an email again. Its idempotency key stays in `keys` until a response says that it was
 * sent: if only the response was lost, another attempt sends nothing.
 */
export function resendChangeOf(id: string, body: object, keys: ResendKeys): Change {
  const key = keys.get(stampOf(id, body)) ?? newKey()
  keys.set(stampOf(id, body), key)
  return { path: `/emails/${id}/resend`, method: 'POST', body, headers: { 'idempotency-key': key } }
}

/** Called when an email was sent again, so that the next attempt is a new one. */
export function forgetResendKey(id: string, body: object, keys: ResendKeys): void {
  keys.delete(stampOf(id, body))
}

const stampOf = (id: string, body: object) => `${id} ${JSON.stringify(body)}`

/** Not `randomUUID`, which browsers offer only over HTTPS. */
const newKey = () => `resend-${crypto.getRandomValues(new BigUint64Array(2)).join('-')}`

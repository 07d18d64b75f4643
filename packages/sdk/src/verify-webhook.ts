import { fromBase64 } from './base64.ts'
import { type Call, SendwrightError, startCall } from './result.ts'
import type { WebhookEvent } from './types.ts'

/** A request that Sendwright sent to a webhook. */
export interface SignedRequest {
  /** The body exactly as it arrived, before any parser. */
  payload: string | Uint8Array
  /** The headers: a `Headers` object, or those of Node.js. */
  headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>
  /** The signing secret of the webhook, `whsec_...`. */
  secret: string
  /** How far the time of the request may be from now. Default: 300 seconds. */
  toleranceSeconds?: number
}

const TOLERANCE_SECONDS = 300

/**
 * Verifies the signature of a webhook (Standard Webhooks 1.0) and returns its event. The error is `invalid_signature`.
 * Needs no client.
 */
export function verifyWebhook(request: SignedRequest): Call<WebhookEvent> {
  return startCall(async () => ({ data: await verify(request), headers: null }))
}

async function verify({ payload, headers, secret, toleranceSeconds = TOLERANCE_SECONDS }: SignedRequest) {
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map(
    (name) => readHeader(headers, `webhook-${name}`) ?? readHeader(headers, `svix-${name}`),
  )
  if (!id || !timestamp || !signatures) throw invalid('The request has no webhook signature.')
  const ageSeconds = Math.abs(Date.now() / 1_000 - Number(timestamp))
  // NaN is not within the tolerance either.
  if (!(ageSeconds <= toleranceSeconds)) throw invalid('The timestamp is too old or in the future.')
  const body = typeof payload === 'string' ? new TextEncoder().encode(payload) : payload
  const signed = concat(new TextEncoder().encode(`${id}.${timestamp}.`), body)
  const key = await importKey(secret)
  for (const signature of signatures.split(' ')) {
    if (await isSignature(key, signature, signed)) {
      return JSON.parse(new TextDecoder().decode(body)) as WebhookEvent
    }
  }
  throw invalid('The signature does not match this request and secret.')
}

function readHeader(headers: SignedRequest['headers'], name: string): string | undefined {
  const value =
    typeof headers.get === 'function' ? (headers as Headers).get(name) : Reflect.get(headers, name)
  return typeof value === 'string' ? value : undefined
}

function invalid(message: string): SendwrightError {
  return new SendwrightError({ name: 'invalid_signature', message })
}

async function importKey(secret: string) {
  const bytes = decode(secret.replace(/^whsec_/, ''))
  if (bytes === null) throw invalid('The secret is not valid: it must be whsec_ followed by Base64.')
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
}

type Key = Awaited<ReturnType<typeof importKey>>

/** Compares in constant time, as `crypto.subtle.verify` does. */
async function isSignature(key: Key, signature: string, signed: Uint8Array<ArrayBuffer>): Promise<boolean> {
  const [version, text = ''] = signature.split(',')
  const bytes = version === 'v1' ? decode(text) : null
  return bytes !== null && crypto.subtle.verify('HMAC', key, bytes, signed)
}

/** Returns null if the text is not base64, or empty. */
function decode(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    const bytes = fromBase64(text)
    return bytes.length === 0 ? null : bytes
  } catch {
    return null
  }
}

function concat(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(first.length + second.length)
  whole.set(first)
  whole.set(second, first.length)
  return whole
}

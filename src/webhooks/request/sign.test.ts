import { createHash } from 'node:crypto'
import { Resend } from 'resend'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import { describe, expect, test } from 'vitest'
import {
  deriveWebhookKey,
  formatWebhookSecret,
  newWebhookSecret,
  openWebhookSecrets,
  sealWebhookSecret,
} from './secrets.ts'
import { signWebhook } from './sign.ts'

const ID = '01890a5d-ac96-774b-bcce-b302099a8057'
/** The verifiers reject signatures that are older than five minutes. */
const AT = new Date()
const BODY = JSON.stringify({
  type: 'email.delivered',
  created_at: '2026-01-01 00:00:00',
  data: { subject: 'Grüße 🐘' },
})

const VERIFIERS: Record<string, (secret: string, body: string, headers: Record<string, string>) => unknown> =
  {
    standardwebhooks: (secret, body, headers) => new StandardWebhook(secret).verify(body, headers),
    svix: (secret, body, headers) => {
      new SvixWebhook(secret).verify(body, headers)
      return JSON.parse(body)
    },
    resend: (secret, payload, headers) =>
      new Resend('re_x').webhooks.verify({
        payload,
        headers: {
          id: headers['svix-id'] ?? '',
          timestamp: headers['svix-timestamp'] ?? '',
          signature: headers['svix-signature'] ?? '',
        },
        webhookSecret: secret,
      }),
  }

describe.each(Object.keys(VERIFIERS))('%s', (name) => {
  const verify = VERIFIERS[name] as (typeof VERIFIERS)[string]
  const [newest, old, foreign] = [newWebhookSecret(), newWebhookSecret(), newWebhookSecret()]
  const headers = signWebhook([newest, old], ID, AT, BODY)

  test('verified with the new secret and with the old one', () => {
    expect(verify(formatWebhookSecret(newest), BODY, headers)).toEqual(JSON.parse(BODY))
    expect(verify(formatWebhookSecret(old), BODY, headers)).toEqual(JSON.parse(BODY))
  })

  test('rejected with a foreign secret, another body or another id', () => {
    const other = { ...headers, 'webhook-id': 'x', 'svix-id': 'x' }
    expect(() => verify(formatWebhookSecret(foreign), BODY, headers)).toThrow()
    expect(() => verify(formatWebhookSecret(newest), `${BODY} `, headers)).toThrow()
    expect(() => verify(formatWebhookSecret(newest), BODY, other)).toThrow()
  })
})

test('verified with the headers of Standard Webhooks alone, and with those of Svix alone', () => {
  const secret = newWebhookSecret()
  const headers = Object.entries(signWebhook([secret], ID, AT, BODY))
  for (const names of ['webhook-', 'svix-']) {
    const some = Object.fromEntries(headers.filter(([name]) => name.startsWith(names)))
    expect(() => new SvixWebhook(formatWebhookSecret(secret)).verify(BODY, some)).not.toThrow()
  }
})

/** Computes HMAC-SHA256 by its definition (RFC 2104 section 2), for keys of at most one 64-byte block. */
function hmacByDefinition(key: string, text: string): string {
  const block = Buffer.alloc(64)
  expect(block.write(key, 'utf8')).toBe(Buffer.byteLength(key))
  const pad = (octet: number) => block.map((byte) => byte ^ octet)
  const inner = createHash('sha256').update(pad(0x36)).update(text, 'utf8').digest()
  return createHash('sha256').update(pad(0x5c)).update(inner).digest('hex')
}

test('X-Webhook-Signature is the HMAC of the body in hex, keyed with the text of the newest secret', () => {
  const secret = newWebhookSecret()
  const shown = formatWebhookSecret(secret)
  const headers = signWebhook([secret, newWebhookSecret()], ID, AT, BODY)
  expect(headers['x-webhook-signature']).toBe(hmacByDefinition(shown, BODY))
})

test('an old secret signs until it expires, and opens in no other row', () => {
  const key = deriveWebhookKey(Buffer.alloc(32, 7))
  const [newest, old] = [newWebhookSecret(), newWebhookSecret()]
  const row = {
    teamId: 'team',
    id: 'one',
    sealedSecret: sealWebhookSecret(key, 'team', 'one', newest),
    sealedOldSecret: sealWebhookSecret(key, 'team', 'one', old),
    oldSecretUntil: new Date('2026-01-02T00:00:00Z'),
  }
  expect(openWebhookSecrets(key, row, new Date('2026-01-01T23:59:59Z'))).toEqual([newest, old])
  expect(openWebhookSecrets(key, row, new Date('2026-01-02T00:00:00Z'))).toEqual([newest])
  expect(() => openWebhookSecrets(key, { ...row, id: 'two' }, AT)).toThrow('does not open')
})

import { PassThrough } from 'node:stream'
import { afterAll, describe, expect, test } from 'vitest'
import type { ProcessRole } from '../../src/app/types.ts'
import { loadDkimKeys } from '../../src/domains/domain-keys.ts'
import { openSecret } from '../../src/lib/crypto/seal.ts'
import { createLog } from '../../src/lib/log.ts'
import { startMx } from '../support/mx.ts'
import { type Sender, startTestSendwright, type TestSendwright } from '../support/sendwright.ts'

const BODY = 'the-words-of-a-private-letter'
const SUBJECT = 'a-subject-nobody-else-should-read'
const PASSWORD = 'relay-p4ssw0rd-of-ours'
const SECRET_KEY = 'secret-key-of-this-installation-0123456789'
/** Secrets are also searched by pieces of this length, because an error message may contain a part. */
const PIECE_LENGTH = 24

const stops: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const stop of stops.reverse()) await stop()
})

interface Watched {
  service: TestSendwright
  ann: Sender
  /** Returns everything that the service has logged, at any level. */
  logged(): string
}

async function startWatched(
  environment: Record<string, string>,
  roles: readonly ProcessRole[] = ['api', 'deliver', 'scheduler'],
): Promise<Watched> {
  const stream = new PassThrough()
  let text = ''
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
  })
  const service = await startTestSendwright({
    environment: { SENDWRIGHT_SECRET_KEY: SECRET_KEY, ...environment },
    log: createLog('trace', stream),
    roles,
  })
  stops.push(() => service.stop())
  return { service, ann: await service.givenSender(), logged: () => text }
}

/** Returns every encoding in which a secret might appear. */
function formsOf(secret: string | Buffer): string[] {
  const bytes = Buffer.from(secret)
  const texts = [bytes.toString('base64'), bytes.toString('hex')]
  const pieces = texts.map((text) => text.slice(-PIECE_LENGTH - 4, -4))
  return typeof secret === 'string'
    ? [secret, ...pieces]
    : [...pieces, ...texts.map((text) => text.slice(40, 80))]
}

async function secretsOf({ service, ann }: Watched): Promise<string[]> {
  const master = await openSecret(service.config.dataDir, SECRET_KEY)
  const keys = await loadDkimKeys(service.db, master, ann.id, ann.domainId)
  const privateKeys = keys.flatMap(({ privateKey }) => {
    const der = privateKey.export({ type: 'pkcs8', format: 'der' })
    return formsOf(der.length > 100 ? der : der.subarray(-32))
  })
  return [
    ...formsOf(ann.token),
    ...formsOf(PASSWORD),
    ...formsOf(`\0relay-user\0${PASSWORD}`),
    ...formsOf(SECRET_KEY),
    ...formsOf(master),
    ...privateKeys,
    'PRIVATE KEY',
  ]
}

/** Expects one JSON line per event, and no secrets in any of them. */
async function expectQuiet(watched: Watched): Promise<void> {
  const lines = watched.logged().split('\n').filter(Boolean)
  for (const line of lines) expect(() => JSON.parse(line), line).not.toThrow()
  for (const secret of [...(await secretsOf(watched)), BODY, SUBJECT]) {
    expect(lines.filter((line) => line.includes(secret))).toEqual([])
  }
}

const email = (ann: Sender, fields: Record<string, unknown> = {}) =>
  ann.email({ text: BODY, subject: SUBJECT, html: `<p>${BODY}</p>`, ...fields })

describe('the log contains no key, password, signing key, subject or body', () => {
  test('while emails are accepted, rejected, delivered, deferred and bounced, and domains and keys created', async () => {
    const watched = await startWatched({ SENDWRIGHT_DELIVERY: 'direct' })
    const { service, ann, logged } = watched
    const to = `bob@${service.givenDestination()}`
    service.mx.recipients[`bounce-${to}`] = '550 5.1.1 No such user'
    service.mx.recipients[`later-${to}`] = '451 4.3.0 Later'
    await ann.settled(await ann.send(email(ann, { to: [to, `bounce-${to}`] })))
    await ann.seen(
      await ann.send(email(ann, { to: `later-${to}` })),
      (seen) => seen.status === 'delivery_delayed',
    )
    await ann.post('/emails', email(ann, { from: 'x@unverified.test' }))
    await ann.post('/emails', email(ann, { to: `${BODY}\r\n` }))
    await ann.post('/emails', email(ann, { attachments: [{ path: `http://127.0.0.1:1/${SUBJECT}` }] }))
    await ann.post('/domains', { name: 'another.example' })
    await ann.post('/domains', { name: 'another.example' })
    await ann.givenKey()
    await fetch(`${service.url}/emails`, { headers: { authorization: `Bearer ${ann.token}x` } })
    await fetch(`${service.url}/emails?api_key=${ann.token}`)
    await fetch(`${service.url}/emails`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ann.token}`, 'content-type': 'application/json' },
      body: `{"text": "${BODY}`,
    })
    await expectQuiet(watched)
    expect(logged()).not.toBe('')
  })

  test('while the database rejects a statement that contains them', async () => {
    const watched = await startWatched({ SENDWRIGHT_DELIVERY: 'capture' })
    const { service, ann, logged } = watched
    await service.db.query(
      'alter table email add constraint nothing_more check (created_at < $$2000-01-01$$) not valid',
    )
    const reply = await ann.post('/emails', email(ann))
    expect([reply.status, reply.json.name]).toEqual([500, 'internal_server_error'])
    expect(reply.text).not.toMatch(/nothing_more|insert|\.ts|select/i)
    expect(logged()).toContain('request failed')
    await expectQuiet(watched)
  })

  test('and no webhook secret, while webhooks are created, tested, rotated and unreachable', async () => {
    const watched = await startWatched({ SENDWRIGHT_DELIVERY: 'capture' }, ['api', 'webhooks'])
    const { service, ann, logged } = watched
    const made = await ann.post('/webhooks', { endpoint: 'http://127.0.0.1:1/hooks' })
    const path = `/webhooks/${made.json.id}`
    const rotated = await ann.post(`${path}/rotate-secret`)
    const { json: test } = await ann.post(`${path}/test`)
    const read = async () => (await ann.get(`${path}/deliveries/${test.id}`)).json
    await expect.poll(async () => (await read()).attempt_count, { timeout: 60_000 }).toBeGreaterThan(0)
    const rows = await service.db.query<{ row: string }>(
      `select to_jsonb(w)::text as row from webhook w
       union all
       select to_jsonb(d)::text from webhook_delivery d
       union all
       select to_jsonb(e)::text from event e`,
    )
    const shown = [
      ...rows.map(({ row }) => row),
      (await ann.get('/webhooks')).text,
      (await ann.patch(path, { description: 'x' })).text,
      JSON.stringify(await read()),
      (await ann.get(`${path}/deliveries`)).text,
      (await ann.get('/events')).text,
      logged(),
    ].join('\n')
    for (const { json } of [made, rotated]) {
      const bytes = Buffer.from(json.signing_secret.slice('whsec_'.length), 'base64')
      for (const form of [json.signing_secret, bytes.toString('hex'), bytes.toString('base64')]) {
        expect(shown).not.toContain(form)
      }
    }
    await expectQuiet(watched)
  })

  test('while a relay rejects the login', async () => {
    const login = { user: 'relay-user', password: 'another' }
    const relay = await startMx({ login })
    stops.push(() => relay.close())
    const url = `smtp://relay-user:${PASSWORD}@127.0.0.1:${relay.port}`
    const watched = await startWatched({ SENDWRIGHT_DELIVERY: url })
    const { ann } = watched
    const id = await ann.send(email(ann, { to: 'bob@anywhere.test' }))
    await ann.seen(id, (seen) => seen.status === 'delivery_delayed')
    expect(relay.commands.some(({ line }) => line.startsWith('AUTH'))).toBe(true)
    await expectQuiet(watched)
    const attempts = await ann.get(`/emails/${id}/attempts`)
    const whole = await ann.get(`/emails/${id}`)
    for (const secret of await secretsOf(watched)) {
      expect(attempts.text).not.toContain(secret)
      expect(whole.text).not.toContain(secret)
    }
    expect(attempts.text).not.toContain(BODY)
  })
})

test('no column contains a key, password or signing key in clear text', async () => {
  const watched = await startWatched({ SENDWRIGHT_DELIVERY: 'capture' })
  const { service, ann } = watched
  await ann.settled(await ann.send(email(ann, { to: 'bob@receiver.test' })))
  const tables = await service.db.query<{ name: string }>(
    'select table_name as name from information_schema.tables where table_schema = current_schema()',
  )
  expect(tables.length).toBeGreaterThan(50)
  const secrets = await secretsOf(watched)
  for (const { name } of tables) {
    const rows = await service.db.query<{ row: string }>(`select t::text as row from ${name} t`)
    for (const secret of secrets) {
      expect(
        rows.filter(({ row }) => row.includes(secret)),
        name,
      ).toEqual([])
    }
  }
})

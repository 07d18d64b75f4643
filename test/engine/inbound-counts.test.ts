import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deriveKey, openSecret } from '../../src/lib/crypto/seal.ts'
import { makeUnsubscribeAddress } from '../../src/mime/unsubscribe-address.ts'
import { bring, INBOUND, personalMessage, statusDsn, vacation } from '../support/inbound.ts'
import { startMx } from '../support/mx.ts'
import { type Sender, startTestSendwright, type TestSendwright } from '../support/sendwright.ts'

let service: TestSendwright
let ann: Sender
let domain: string
const ROLES = ['api', 'deliver', 'scheduler', 'inbound'] as const
const LISTENING = { ...INBOUND, SENDWRIGHT_RETRY_SCHEDULE: '1h' }

beforeAll(async () => {
  service = await startTestSendwright({ roles: ROLES, environment: LISTENING })
  ann = await service.givenSender()
  domain = service.givenDestination()
})
afterAll(() => service.stop())

const reasonOf = async (address: string) => (await ann.get(`/suppressions/${address}`)).json.reason ?? null

/** Sends one email to the address, and returns its return path. */
async function send(to: string, expected: string): Promise<string> {
  const email = await ann.settled(await ann.send({ to }))
  expect(email.status).toBe(expected)
  const copies = service.mx.commands.flatMap(({ line }) => /^MAIL FROM:<([^>]+)>/.exec(line)?.[1] ?? [])
  return copies.at(-1) as string
}

const FULL = '552 5.2.2 Mailbox full'
const refuse = (address: string, times: number) =>
  service.mx.script({ expect: `RCPT TO:<${address}>`, answer: FULL, times })
const fullDsn = (recipient: string) =>
  statusDsn({ recipient, action: 'failed', status: '5.2.2', diagnostic: FULL })

describe('suppressed at the third full mailbox in a row', () => {
  test('by replies of the server', async () => {
    const address = `full@${domain}`
    refuse(address, 3)
    for (let round = 0; round < 3; round++) {
      expect(await reasonOf(address)).toBeNull()
      await send(address, 'bounced')
    }
    expect(await reasonOf(address)).toBe('bounce')
    await send(address, 'suppressed')
  })

  test('by DSNs after delivery; a repeated DSN does not count', async () => {
    const address = `later@${domain}`
    for (let round = 0; round < 3; round++) {
      expect(await reasonOf(address)).toBeNull()
      const returnPath = await send(address, 'delivered')
      for (let twice = 0; twice < 2; twice++) {
        await bring(service.inboundPort, { to: returnPath, message: fullDsn(address) })
      }
    }
    expect(await reasonOf(address)).toBe('bounce')
  })

  test('even while newer emails to it are open', async () => {
    const address = `waiting@${domain}`
    refuse(address, 3)
    for (let round = 0; round < 2; round++) await send(address, 'bounced')
    const scheduled_at = new Date(Date.now() + 86_400_000).toISOString()
    const emails = Array.from({ length: 60 }, () => ann.email({ to: address, scheduled_at }))
    expect((await ann.post('/emails/batch', emails)).status).toBe(202)
    await send(address, 'bounced')
    expect(await reasonOf(address)).toBe('bounce')
  })

  test('not when a delivery succeeded in between', async () => {
    const address = `emptied@${domain}`
    refuse(address, 2)
    for (const expected of ['bounced', 'bounced', 'delivered']) await send(address, expected)
    refuse(address, 2)
    for (const expected of ['bounced', 'bounced', 'delivered']) await send(address, expected)
    expect(await reasonOf(address)).toBeNull()
  })
})

describe('behind a relay', () => {
  test('delivered, bounced or unchanged, according to the DSN about mail that the relay accepted', async () => {
    const relay = await startMx()
    const behind = await startTestSendwright({
      roles: ROLES,
      environment: { ...LISTENING, SENDWRIGHT_DELIVERY: `smtp://127.0.0.1:${relay.port}` },
    })
    try {
      const bob = await behind.givenSender()
      const cases = [
        ['delivered', '2.0.0', 'delivered', 'delivered'],
        ['relayed', '2.0.0', 'sent', 'sent'],
        ['failed', '5.1.1', 'bounced', 'bounced'],
      ] as const
      for (const [action, status, expected, lastEvent] of cases) {
        const recipient = `${action}@anywhere.test`
        const id = await bob.send({ to: recipient })
        expect((await bob.settled(id)).status).toBe('sent')
        const to = relay.messages.at(-1)?.from as string
        const message = statusDsn({ recipient, action, status, diagnostic: `250 ${status} Done` })
        await bring(behind.inboundPort, { to, message })
        const email = (await bob.get(`/emails/${id}`)).json
        expect(email, action).toMatchObject({ status: expected, last_event: lastEvent })
        expect(email.sent_at).not.toBeNull()
      }
    } finally {
      await behind.stop()
      await relay.close()
    }
  })
})

describe('unsubscribed by mail', () => {
  async function addressFor(emailId: string, no = 0): Promise<string> {
    const [team] = await service.db.query<{ tag: string }>('select tag from team where id = $1', [ann.id])
    const secret = await openSecret(service.config.dataDir, service.config.secretKey)
    const key = deriveKey(secret, 'unsubscribe addresses')
    return makeUnsubscribeAddress(key, service.config.hostname, { teamTag: team?.tag ?? '', emailId, no })
  }
  const eventsOf = (id: string) =>
    service.db.query(
      'select type, data from event where team_id = $1 and subject_id = $2 order by position',
      [ann.id, id],
    )

  test('once, with an event; individual mail of the team is still sent', async () => {
    const email = `Reader@${domain}`
    const { id } = (await ann.post('/contacts', { email })).json
    const sent = await ann.send({ to: email })
    await ann.settled(sent)
    const to = await addressFor(sent)
    for (let twice = 0; twice < 2; twice++) {
      const answer = await bring(service.inboundPort, { from: email, to, message: personalMessage })
      expect(answer).toMatch(/^250 /)
    }
    expect((await ann.get(`/contacts/${id}`)).json.unsubscribed).toBe(true)
    expect(await eventsOf(id)).toEqual([
      { type: 'contact.created', data: expect.anything() },
      {
        type: 'contact.unsubscribed',
        data: { id, email: email.toLowerCase(), email_id: sent, source: 'mail' },
      },
    ])
    expect(await reasonOf(email)).toBeNull()
    await send(email, 'delivered')
  })

  test('not by vacation programs, bounces, or a token with one character changed', async () => {
    const email = `subscriber@${domain}`
    const { id } = (await ann.post('/contacts', { email })).json
    const sent = await ann.send({ to: email })
    await ann.settled(sent)
    const to = await addressFor(sent)
    const bounce = statusDsn({ recipient: email, action: 'failed', status: '5.1.1' })
    for (const [from, message] of [
      [email, vacation],
      [email, bounce],
      ['', personalMessage],
    ] as const) {
      expect(await bring(service.inboundPort, { from, to, message })).toMatch(/^250 /)
    }
    const changed = `${to.slice(0, 10)}${to[10] === 'a' ? 'b' : 'a'}${to.slice(11)}`
    expect(await bring(service.inboundPort, { from: email, to: changed, message: personalMessage })).toMatch(
      /^550 5\.1\.1/,
    )
    expect((await ann.get(`/contacts/${id}`)).json.unsubscribed).toBe(false)
    expect((await ann.get(`/emails/${sent}`)).json.status).toBe('delivered')
  })

  test.each([
    ['another subject by the recipient', 'recipient', 'Please stop', 'Thank you.', true],
    ['the subject of the link by an alias', 'alias@else.test', 'UNSUBSCRIBE', '', true],
    ['the body of the link by an alias', 'alias@else.test', '', 'unsubscribe', true],
    [
      'an unmarked vacation answer by the recipient',
      'recipient',
      'Abwesenheit: Neuigkeiten',
      'Bis bald.',
      false,
    ],
    ['an unmarked vacation answer in English', 'recipient', 'Out of office', 'unsubscribe', false],
    ['an unmarked answer by another address', 'desk@else.test', 'Re: News', 'I am back on Monday.', false],
  ])('%s', async (title, sender, subject, body, expected) => {
    const email = `${title.replaceAll(' ', '-')}@${domain}`
    const { id } = (await ann.post('/contacts', { email })).json
    const sent = await ann.send({ to: email })
    await ann.settled(sent)
    const from = sender === 'recipient' ? email : sender
    const message = `From: <${from}>\r\nSubject: ${subject}\r\n\r\n${body}\r\n`
    expect(await bring(service.inboundPort, { from, to: await addressFor(sent), message })).toMatch(/^250 /)
    expect((await ann.get(`/contacts/${id}`)).json.unsubscribed).toBe(expected)
  })

  test('250 for an unknown contact', async () => {
    const sent = await ann.send({ to: `nobody@${domain}` })
    await ann.settled(sent)
    const to = await addressFor(sent)
    expect(await bring(service.inboundPort, { from: 'x@y.test', to, message: personalMessage })).toMatch(
      /^250 /,
    )
    expect((await ann.get(`/contacts/nobody@${domain}`)).status).toBe(404)
  })
})

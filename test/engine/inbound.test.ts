import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startSendwright } from '../../src/app/start/start-sendwright.ts'
import { createLog } from '../../src/lib/log.ts'
import { bring, feedbackReport, INBOUND, statusDsn, vacation } from '../support/inbound.ts'
import { type Sender, startTestSendwright, type TestSendwright } from '../support/sendwright.ts'

let service: TestSendwright
let ann: Sender
let domain: string

beforeAll(async () => {
  service = await startTestSendwright({
    roles: ['api', 'deliver', 'scheduler', 'inbound'],
    environment: { ...INBOUND, SENDWRIGHT_RETRY_SCHEDULE: '1h' },
  })
  ann = await service.givenSender()
  domain = service.givenDestination()
})
afterAll(() => service.stop())

const bringTo = (to: string | string[], message: string, from?: string) =>
  bring(service.inboundPort, { to, message, ...(from === undefined ? {} : { from }) })

/** Sends an email that the recipient's server accepts. Returns it with its return path. */
async function givenDelivered(recipient: string, sender = ann) {
  const id = await sender.send({ to: recipient })
  const email = await sender.settled(id)
  expect(email.status).toBe('delivered')
  const copy = service.mx.messages.find(({ to }) => to[0] === recipient)
  return { id, email, returnPath: copy?.from as string, raw: copy?.raw.toString('latin1') as string }
}

const read = async (id: string, sender = ann) => (await sender.get(`/emails/${id}`)).json
const typesOf = (email: { events: { type: string }[] }) => email.events.map(({ type }) => type)
const isSuppressed = async (address: string, sender = ann) =>
  (await sender.get(`/suppressions/${address}`)).json.reason ?? null

describe('bounced after it was delivered', () => {
  test('by a DSN that returns a message of 20 MB', async () => {
    const far = `far@${domain}`
    const { id, returnPath } = await givenDelivered(far)
    const dsn = statusDsn({ recipient: far, action: 'failed', status: '5.1.1' })
    const at = dsn.lastIndexOf('\r\n--')
    const returned = `${dsn.slice(0, at)}\r\n${`${'x'.repeat(998)}\r\n`.repeat(20_000)}${dsn.slice(at)}`
    expect(await bringTo(returnPath, returned)).toMatch(/^250 /)
    expect(await read(id)).toMatchObject({ status: 'bounced' })
  })

  test('with the reply, an event and a suppression; the second time changes nothing', async () => {
    const bob = `bob@${domain}`
    const { id, returnPath } = await givenDelivered(bob)
    const dsn = statusDsn({ recipient: bob, action: 'failed', status: '5.1.1' })
    expect(await bringTo(returnPath, dsn)).toMatch(/^250 2\.\d\.\d /)
    const email = await read(id)
    expect(email).toMatchObject({ status: 'bounced', last_event: 'bounced' })
    expect(email.recipients[0]).toMatchObject({
      status: 'bounced',
      smtp_code: 550,
      enhanced_code: '5.1.1',
      response: expect.stringContaining('Said so'),
      mx_host: 'inner.receiver.test',
      attempts: 1,
      next_attempt_at: null,
    })
    expect(email.events.at(-1)).toMatchObject({
      type: 'email.bounced',
      data: { recipient: bob, source: 'notice', category: 'no_such_address', enhanced_code: '5.1.1' },
    })
    expect(email.events.at(-1).data.advice).toContain('does not exist')
    expect((await ann.get(`/suppressions/${bob}`)).json).toMatchObject({
      reason: 'bounce',
      source_email_id: id,
    })
    expect(await bringTo(returnPath, dsn)).toMatch(/^250 /)
    expect(await bringTo(returnPath.toUpperCase(), dsn)).toMatch(/^250 /)
    expect(await read(id)).toEqual(email)
    expect(typesOf(email)).toEqual(['email.queued', 'email.delivered', 'email.bounced'])
    expect((await ann.settled(await ann.send({ to: bob }))).status).toBe('suppressed')
  })

  test('and not suppressed by a policy rejection; rejected content is recorded as rejected', async () => {
    const cases = [
      ['policy', '5.7.1', '550 5.7.1 Refused by policy', 'bounced'],
      ['spam', '5.7.1', '554 5.7.1 Message rejected as spam', 'rejected'],
    ] as const
    for (const [name, status, diagnostic, expected] of cases) {
      const address = `${name}@${domain}`
      const { id, returnPath } = await givenDelivered(address)
      await bringTo(returnPath, statusDsn({ recipient: address, action: 'failed', status, diagnostic }))
      expect(await read(id), name).toMatchObject({ status: expected, last_event: expected })
      expect(await isSuppressed(address), name).toBeNull()
    }
  })

  test('and not suppressed when another server gave up after its whole retry period', async () => {
    const address = `late@${domain}`
    const { id, returnPath } = await givenDelivered(address)
    const diagnostic = '451 4.4.1 Connection timed out'
    const given = { recipient: address, action: 'failed', status: '4.4.7', diagnostic } as const
    expect(await bringTo(returnPath, statusDsn(given))).toMatch(/^250 /)
    expect((await read(id)).status).toBe('bounced')
    expect(await isSuppressed(address)).toBeNull()
  })

  test('at a forwarding address: the DSN applies to the delivery, and the event has both addresses', async () => {
    const address = `forwarded@${domain}`
    const { id, returnPath } = await givenDelivered(address)
    const given = { recipient: 'gone@elsewhere.test', action: 'failed', status: '5.1.1' } as const
    await bringTo(returnPath, statusDsn(given))
    const { events } = await read(id)
    expect(events.at(-1)).toMatchObject({
      type: 'email.bounced',
      data: { recipient: address, notice_recipient: 'gone@elsewhere.test' },
    })
  })

  test('one recipient of several: the others keep their states', async () => {
    const to = [`one@${domain}`, `two@${domain}`]
    const id = await ann.send({ to })
    await ann.settled(id)
    const copy = service.mx.messages.find((message) => message.to[0] === to[1])
    await bringTo(
      copy?.from as string,
      statusDsn({ recipient: to[1] as string, action: 'failed', status: '5.1.1' }),
    )
    const email = await read(id)
    expect(email.recipients.map((row: { status: string }) => row.status)).toEqual(['delivered', 'bounced'])
    expect(email).toMatchObject({ status: 'partially_delivered', last_event: 'bounced' })
  })

  test('while it is queued for a retry, which then ends', async () => {
    const address = `open@${domain}`
    service.mx.script({ expect: `RCPT TO:<${address}>`, answer: '450 4.2.0 Later' })
    const id = await ann.send({ to: address })
    await ann.seen(id, ({ status }) => status === 'delivery_delayed')
    const mails = service.mx.commands.flatMap(({ line }) => /^MAIL FROM:<([^>]+)>/.exec(line)?.[1] ?? [])
    await bringTo(
      mails.at(-1) as string,
      statusDsn({ recipient: address, action: 'failed', status: '5.1.1' }),
    )
    const email = await read(id)
    expect(email).toMatchObject({ status: 'bounced', last_event: 'bounced' })
    const [row] = await service.db.query('select due_at, ready from delivery where email_id = $1', [id])
    expect(row).toEqual({ dueAt: null, ready: false })
  })
})

test('bounced even when the DSN arrives before the 250 of its message', async () => {
  const address = `quick@${domain}`
  service.mx.script({ expect: '<message>', answer: '250 2.0.0 Taken', byteEveryMs: 30, times: 1 })
  const id = await ann.send({ to: address })
  await expect.poll(() => service.mx.contents.some(({ to }) => to[0] === address)).toBe(true)
  const returnPath = service.mx.contents.find(({ to }) => to[0] === address)?.from as string
  const dsn = statusDsn({ recipient: address, action: 'failed', status: '5.1.1' })
  expect(await bringTo(returnPath, dsn)).toMatch(/^250 /)
  expect((await read(id)).status).toBe('bounced')
  await expect.poll(async () => (await ann.get(`/emails/${id}/attempts`)).json.data).toHaveLength(1)
  const email = await read(id)
  expect(email).toMatchObject({ status: 'bounced', last_event: 'bounced' })
  expect(typesOf(email)).toEqual(['email.queued', 'email.bounced'])
})

test('CannotStart when a configured port is in use; a default port in use is skipped', async () => {
  const set = { ...service.config, inboundPort: { port: service.inboundPort, isSet: true } }
  const start = (config: typeof set) =>
    startSendwright(config, { roles: ['inbound'], log: createLog('silent') })
  await expect(start(set)).rejects.toThrow(
    `Port ${service.inboundPort} is in use; set SENDWRIGHT_INBOUND_PORT to another one.`,
  )
  const other = await start({ ...set, inboundPort: { port: service.inboundPort, isSet: false } })
  expect(other.inboundPort).toBeNull()
  await other.stop()
})

test('delivered even after a delay DSN of another server, with one event', async () => {
  const address = `slow@${domain}`
  const { id, returnPath } = await givenDelivered(address)
  const dsn = statusDsn({ recipient: address, action: 'delayed', status: '4.4.1' })
  for (let round = 0; round < 2; round++) expect(await bringTo(returnPath, dsn)).toMatch(/^250 /)
  const email = await read(id)
  expect(email).toMatchObject({ status: 'delivered', last_event: 'delivery_delayed' })
  expect(typesOf(email)).toEqual(['email.queued', 'email.delivered', 'email.delivery_delayed'])
  expect(email.events.at(-1).data).toMatchObject({ recipient: address, source: 'notice' })
})

test('delivered even after replies of a vacation program, a person, and garbage', async () => {
  const { id, email, returnPath } = await givenDelivered(`away@${domain}`)
  const nonsense = 'Subject: 550 5.1.1\r\n\r\nFinal-Recipient\r\n'
  for (const message of [vacation, 'Subject: Re: Hello\r\n\r\nThank you!\r\n', nonsense, '\r\n']) {
    expect(await bringTo(returnPath, message, 'bob@receiver.test')).toMatch(/^250 /)
  }
  expect(await read(id)).toEqual(email)
})

test('complained: an event and a suppression, once, by a report to the return path', async () => {
  const address = `angry@${domain}`
  const { id, returnPath } = await givenDelivered(address)
  for (let round = 0; round < 2; round++) expect(await bringTo(returnPath, feedbackReport())).toMatch(/^250 /)
  const email = await read(id)
  expect(email).toMatchObject({ status: 'delivered', last_event: 'complained' })
  expect(typesOf(email)).toEqual(['email.queued', 'email.delivered', 'email.complained'])
  expect(await isSuppressed(address)).toBe('complaint')
})

test.each(['abuse', 'fraud', 'other', 'x-unheard-of', ''])(
  'complained by a report of the type "%s"',
  async (feedback) => {
    const address = `angry-${feedback || 'untyped'}@${domain}`
    const { returnPath } = await givenDelivered(address)
    expect(await bringTo(returnPath, feedbackReport({ feedback }))).toMatch(/^250 /)
    expect(await isSuppressed(address)).toBe('complaint')
  },
)

test.each(['not-spam', 'Not-Spam', 'auth-failure', 'virus', 'VIRUS'])(
  'unchanged by a report of the type "%s", which is no complaint',
  async (feedback) => {
    const address = `calm-${feedback}@${domain}`
    const { id, email, returnPath } = await givenDelivered(address)
    expect(await bringTo(returnPath, feedbackReport({ feedback }))).toMatch(/^250 /)
    expect(await read(id)).toEqual(email)
    expect(await isSuppressed(address)).toBeNull()
  },
)

test.each(['opt-out', 'opt-out-list'])(
  'unsubscribed, and neither complained nor suppressed, by a report of the type "%s"',
  async (feedback) => {
    for (const to of ['return path', 'feedback address']) {
      const address = `leaves-${feedback}-${to.replace(' ', '-')}@${domain}`.toLowerCase()
      await ann.post('/contacts', { email: address })
      const { id, email, returnPath } = await givenDelivered(address)
      const report = feedbackReport({ feedback, header: `Return-Path: <${returnPath}>\r\n` })
      const inbox = to === 'return path' ? returnPath : 'FBL@mail.sendwright.test'
      for (let twice = 0; twice < 2; twice++) expect(await bringTo(inbox, report)).toMatch(/^250 /)
      expect((await ann.get(`/contacts/${address}`)).json.unsubscribed, to).toBe(true)
      expect(await read(id), to).toEqual(email)
      expect(await isSuppressed(address), to).toBeNull()
    }
  },
)

test('bounced after a complaint, with both events', async () => {
  const address = `both@${domain}`
  const { id, returnPath } = await givenDelivered(address)
  await bringTo(returnPath, feedbackReport())
  await bringTo(returnPath, statusDsn({ recipient: address, action: 'failed', status: '5.1.1' }))
  const types = typesOf(await read(id))
  expect(types.slice(2)).toEqual(['email.complained', 'email.bounced'])
})

describe('at the feedback address', () => {
  const FEEDBACK = 'FBL@mail.sendwright.test'

  test.each([
    ['Return-Path', (path: string) => `Return-Path: <${path}>\r\n`],
    [
      'Received-SPF',
      (path: string) => `Received-SPF: pass (x) client-ip=192.0.2.1; envelope-from=${path};\r\n`,
    ],
    [
      'Authentication-Results',
      (path: string) => `Authentication-Results: x; spf=pass smtp.mailfrom=${path}\r\n`,
    ],
  ])('complained when the report contains the token in %s', async (name, headerOf) => {
    const address = `${name.toLowerCase()}@${domain}`
    const { id, returnPath } = await givenDelivered(address)
    const report = feedbackReport({ header: headerOf(returnPath) })
    expect(await bringTo(FEEDBACK, report, 'staff@provider.test')).toMatch(/^250 /)
    expect(await read(id)).toMatchObject({ status: 'delivered', last_event: 'complained' })
    expect(await isSuppressed(address)).toBe('complaint')
  })

  test('250 and no effect for a report without a token, even if it names the email and the recipient', async () => {
    const address = `known@${domain}`
    const { id, email, returnPath, raw } = await givenDelivered(address)
    const header = raw.slice(0, raw.indexOf('\r\n\r\n') + 2)
    const changed = `${returnPath.startsWith('a') ? 'b' : 'a'}${returnPath.slice(1)}`
    const reports = [
      header,
      `Return-Path: <${changed}>\r\n${header}`,
      `X-Original-To: ${address}\r\nMessage-ID: <${email.message_id}>\r\n`,
    ]
    for (const given of reports) {
      expect(await bringTo(FEEDBACK, feedbackReport({ header: given }))).toMatch(/^250 /)
    }
    expect(await read(id)).toEqual(email)
    expect(await isSuppressed(address)).toBeNull()
  })

  test('250 and no effect for feedback that is not a complaint, and for a bounce with a token', async () => {
    const address = `calm@${domain}`
    const { id, email, returnPath } = await givenDelivered(address)
    const header = `Return-Path: <${returnPath}>\r\n`
    for (const feedback of ['not-spam', 'auth-failure', 'virus', 'Virus']) {
      await bringTo(FEEDBACK, feedbackReport({ feedback, header }))
    }
    await bringTo(FEEDBACK, statusDsn({ recipient: address, action: 'failed', status: '5.1.1' }))
    expect(await read(id)).toEqual(email)
  })
})

test('250 for a DSN about an email that was deleted', async () => {
  const address = `old@${domain}`
  const { id, returnPath } = await givenDelivered(address)
  for (const table of ['delivery', 'event']) {
    const column = table === 'event' ? 'subject_id' : 'email_id'
    await service.db.query(`delete from ${table} where team_id = $1 and ${column} = $2`, [ann.id, id])
  }
  const dsn = statusDsn({ recipient: address, action: 'failed', status: '5.1.1' })
  expect(await bringTo(returnPath, dsn)).toMatch(/^250 /)
  expect(await isSuppressed(address)).toBeNull()
})

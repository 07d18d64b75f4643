import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeDue } from '../support/make-due.ts'
import { type Sender, startTestSendwright, type TestSendwright } from '../support/sendwright.ts'

let service: TestSendwright
let ann: Sender

beforeAll(async () => {
  service = await startTestSendwright()
  ann = await service.givenSender()
})
afterAll(() => service.stop())

test('delivered after two deferrals, with a transcript of each attempt and the same bytes every time', async () => {
  const { mx } = service
  const domain = service.givenDestination()
  mx.script({ expect: '<message>', answer: '451 4.3.0 Try later', times: 2 })
  const id = await ann.send({ to: `bob@${domain}` })
  const delayed = await ann.seen(id, ({ status }) => status === 'delivery_delayed')
  expect(delayed.recipients[0]).toMatchObject({
    status: 'delivery_delayed',
    smtp_code: 451,
    enhanced_code: '4.3.0',
  })
  expect(delayed.recipients[0].next_attempt_at).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
  const email = await ann.settled(id)
  expect(email).toMatchObject({ status: 'delivered', last_event: 'delivered' })
  expect(email.recipients[0]).toMatchObject({
    attempts: 3,
    next_attempt_at: null,
    mx_host: 'mx.receiver.test',
  })
  expect(email.events.map((event: { type: string }) => event.type)).toEqual([
    'email.queued',
    'email.delivery_delayed',
    'email.delivery_delayed',
    'email.delivered',
  ])
  const { json } = await ann.get(`/emails/${id}/attempts`)
  expect(json.data.map((row: { outcome: string; attempt: number }) => [row.attempt, row.outcome])).toEqual([
    [1, 'deferred'],
    [2, 'deferred'],
    [3, 'delivered'],
  ])
  for (const { conversation } of json.data) {
    const times = conversation.map((line: { at_ms: number }) => line.at_ms)
    expect(times).toEqual([...times].sort((a: number, b: number) => a - b))
    expect(conversation.some((line: { text: string }) => line.text.startsWith('RCPT TO:'))).toBe(true)
    expect(JSON.stringify(conversation)).not.toContain('It works.')
  }
  const tries = mx.contents.filter(({ to }) => to[0] === `bob@${domain}`)
  expect(tries).toHaveLength(3)
  expect(new Set(tries.map(({ raw }) => raw.toString('latin1'))).size).toBe(1)
  expect(new Set(tries.map(({ from }) => from)).size).toBe(1)
})

test('bounced for 550 5.1.1 with an event and a suppression; the next email gets no RCPT', async () => {
  const { mx } = service
  const address = `gone@${service.givenDestination()}`
  mx.recipients[address] = '550 5.1.1 No such user here'
  const id = await ann.send({ to: address })
  const email = await ann.settled(id)
  expect(email).toMatchObject({ status: 'bounced', last_event: 'bounced', sent_at: null })
  expect(email.recipients[0]).toMatchObject({
    status: 'bounced',
    smtp_code: 550,
    enhanced_code: '5.1.1',
    response: 'No such user here',
    category: 'no_such_address',
    attempts: 1,
  })
  expect(email.events.at(-1)).toMatchObject({
    type: 'email.bounced',
    data: { recipient: address, smtp_code: 550 },
  })
  const suppression = await ann.get(`/suppressions/${address}`)
  expect(suppression.json).toMatchObject({ email: address, reason: 'bounce' })
  const rcpts = () => mx.commands.filter(({ line }) => line.includes(address)).length
  const before = rcpts()
  const second = await ann.settled(await ann.send({ to: address }))
  expect(second).toMatchObject({ status: 'suppressed', last_event: 'suppressed' })
  expect(second.events.map((event: { type: string }) => event.type)).toEqual(['email.suppressed'])
  expect(rcpts()).toBe(before)
})

test('bounced and suppressed when the lower-case form of an address exceeds the length limit', async () => {
  // 64 octets as given, 96 in lower case; NXDOMAIN suppresses, so no server has to take it.
  const address = `${'\u0130'.repeat(32)}@no-such-domain.test`
  const email = await ann.settled(await ann.send({ to: address }))
  expect(email.recipients[0]).toMatchObject({ status: 'bounced', category: 'no_such_domain' })
  expect((await ann.settled(await ann.send({ to: address }))).status).toBe('suppressed')
})

test('rejected by content policy without a suppression', async () => {
  const address = `bob@${service.givenDestination()}`
  service.mx.script({ expect: '<message>', answer: '554 5.7.1 Message rejected as spam', times: 1 })
  const email = await ann.settled(await ann.send({ to: address }))
  expect(email.status).toBe('rejected')
  expect((await ann.get(`/suppressions/${address}`)).status).toBe(404)
})

test('partially_delivered when recipients have different results; open while one of them is', async () => {
  const { mx } = service
  const to = service.givenDestination()
  mx.recipients[`no@${to}`] = '550 5.1.1 No such user'
  mx.script({ expect: `RCPT TO:<late@${to}>`, answer: '450 4.2.0 Greylisted', times: 1 })
  await ann.post('/suppressions', { email: `off@${to}` })
  const id = await ann.send({ to: [`yes@${to}`, `no@${to}`], cc: `late@${to}`, bcc: `off@${to}` })
  await ann.seen(id, ({ status }) => status === 'delivery_delayed')
  const email = await ann.settled(id)
  expect(email.status).toBe('partially_delivered')
  expect(email.recipients.map((row: { type: string; status: string }) => [row.type, row.status])).toEqual([
    ['to', 'delivered'],
    ['to', 'bounced'],
    ['cc', 'delivered'],
    ['bcc', 'suppressed'],
  ])
  const copies = mx.messages.filter(({ raw }) => raw.includes(id)).map(({ raw }) => raw.toString('latin1'))
  expect(new Set(copies).size).toBe(1)
  expect(mx.commands.filter(({ line }) => line.includes(`off@${to}`))).toEqual([])
})

test('suppressed when its address was suppressed after it was scheduled, with no RCPT', async () => {
  const address = `bob@${service.givenDestination()}`
  const id = await ann.send({ to: address, scheduled_at: new Date(Date.now() + 3_600_000).toISOString() })
  expect((await ann.post('/suppressions', { email: address })).status).toBe(201)
  await makeDue(service.db, ann.id, [id])
  const email = await ann.settled(id)
  expect(email.recipients[0]).toMatchObject({ status: 'suppressed', attempts: 0 })
  expect(service.mx.commands.filter(({ line }) => line.includes(address))).toEqual([])
})

/**
 * Schedules an email for a whole second, and returns it as shown before that. Increases the lead time until both
 * happen in time.
 */
async function scheduleSoon() {
  for (let leadMs = 2000; ; leadMs *= 2) {
    const at = new Date(Math.ceil((Date.now() + leadMs) / 1000) * 1000)
    const fields = { to: `bob@${service.givenDestination()}`, scheduled_at: at.toISOString() }
    const { status, json } = await ann.post('/emails', ann.email(fields))
    if (status !== 202) continue
    const { json: before } = await ann.get(`/emails/${json.id}`)
    if (Date.now() < at.getTime()) return { id: json.id as string, at, before }
  }
}

test('scheduled, then queued and delivered at its time, not before', async () => {
  const { id, at, before } = await scheduleSoon()
  expect(before).toMatchObject({ status: 'scheduled', sent_at: null })
  const email = await ann.settled(id)
  expect(email.events.map((event: { type: string }) => event.type)).toEqual([
    'email.scheduled',
    'email.queued',
    'email.delivered',
  ])
  const message = service.mx.messages.find(({ raw }) => raw.includes(id))
  expect(message?.at).toBeGreaterThanOrEqual(at.getTime())
  expect(message?.raw.toString('latin1')).toContain(
    `\r\nDate: ${at.toUTCString().replace('GMT', '+0000')}\r\n`,
  )
})

test('failed, and never sent unsigned, when its domain has no signing keys left', async () => {
  const bob = await service.givenSender()
  await service.db.query('delete from dkim_key where team_id = $1', [bob.id])
  const email = await bob.settled(await bob.send({ to: `bob@${service.givenDestination()}` }))
  expect(email.recipients[0]).toMatchObject({ status: 'failed', category: 'no_signing_key' })
  expect(service.mx.contents.filter(({ raw }) => raw.includes(bob.domain))).toEqual([])
})

/** Creates a separate destination at the same MX, to which no connection is open. */
function givenNewSite(name: string): string {
  service.dns.set({ [`mx.${name}.test`]: { a: ['127.0.0.1'] } })
  return service.givenDestination({ mx: [[10, `mx.${name}.test`]] })
}

/** Creates a separate destination at the same MX, with an idle connection that was used once. */
async function givenIdleConnection(name: string): Promise<string> {
  const domain = givenNewSite(name)
  await ann.settled(await ann.send({ to: `first@${domain}` }))
  return domain
}

test('delivered over the open connection of an earlier email', async () => {
  const domain = await givenIdleConnection('reuse')
  const before = service.mx.connectionCount
  expect((await ann.settled(await ann.send({ to: `b@${domain}` }))).status).toBe('delivered')
  expect(service.mx.connectionCount).toBe(before)
})

test('delivered at the first attempt over a new connection when an idle one is dead', async () => {
  const domain = await givenIdleConnection('stale')
  const before = service.mx.connectionCount
  service.mx.script({ expect: 'MAIL FROM', answer: null, ending: 'reset', times: 1 })
  const email = await ann.settled(await ann.send({ to: `b@${domain}` }))
  expect(email.recipients[0]).toMatchObject({ status: 'delivered', attempts: 1 })
  expect(service.mx.connectionCount).toBe(before + 1)
})

test('delivered whole at the first attempt over a new connection when an idle one refuses RSET', async () => {
  const { mx } = service
  const domain = givenNewSite('unreset')
  mx.recipients[`no@${domain}`] = '550 5.1.1 No such user here'
  await ann.settled(await ann.send({ to: `no@${domain}` }))
  const before = mx.connectionCount
  mx.script({ expect: 'RSET', answer: '500 5.5.1 Command not recognized', times: 1 })
  const id = await ann.send({ to: `b@${domain}` })
  const email = await ann.settled(id)
  expect(email.recipients[0]).toMatchObject({ status: 'delivered', attempts: 1 })
  expect(mx.connectionCount).toBe(before + 1)
  const contents = mx.contents.filter(({ to }) => to[0] === `b@${domain}`)
  expect(contents.map(({ raw }) => raw.includes(`Message-ID: <${id}@`))).toEqual([true])
})

// A large message that is claimed waits for memory, and meanwhile a server may close even a new connection. One attempt
// opens another, but not a third.
test.each([
  { closed: 1, attempts: 2 },
  { closed: 2, attempts: 3 },
])('large: attempt $attempts succeeds when $closed new connections close after a 421', async (row) => {
  const domain = givenNewSite(`closed${row.closed}`)
  const before = service.mx.connectionCount
  // The latest script applies first.
  service.mx.script({ expect: 'MAIL FROM', answer: null, ending: 'reset', times: row.closed })
  service.mx.script({ expect: 'MAIL FROM', answer: '421 4.3.2 Too much', ending: 'close', times: 1 })
  const id = await ann.send({ to: `b@${domain}`, text: 'It works. '.repeat(40_000) })
  const { recipients } = await ann.settled(id)
  expect(recipients[0]).toMatchObject({ status: 'delivered', attempts: row.attempts })
  expect(service.mx.connectionCount).toBe(before + row.closed + 2)
})

test.each([
  ['<connect>', '250 mx.test ESMTP'],
  ['EHLO', '220 mx.test'],
  // An error message quotes a hundred UTF-16 units of it, the last of which is half a character.
  ['<connect>', `${'x'.repeat(99)}\u{1f600}`],
])('delivered later, and not lost, when the reply at %s is %s', async (expected, answer) => {
  const domain = givenNewSite(`odd${answer.slice(0, 3)}`)
  service.mx.script({ expect: expected, answer, times: 1 })
  const id = await ann.send({ to: `b@${domain}` })
  const { recipients } = await ann.settled(id)
  expect(recipients[0]).toMatchObject({ status: 'delivered', attempts: 2 })
  expect(service.mx.messages.filter(({ to }) => to[0] === `b@${domain}`)).toHaveLength(1)
})

test('delivered later when 421 ends the connection', async () => {
  const domain = await givenIdleConnection('busy')
  service.mx.script({ expect: 'MAIL FROM', answer: '421 4.3.2 Too much', ending: 'close', times: 1 })
  const email = await ann.settled(await ann.send({ to: `b@${domain}` }))
  expect(email.recipients[0]).toMatchObject({ status: 'delivered', attempts: 2 })
})

test('retried with the same Message-ID when the connection breaks after the final dot', async () => {
  const domain = service.givenDestination()
  service.mx.script({ expect: '<message>', answer: null, ending: 'reset', times: 1 })
  const id = await ann.send({ to: `b@${domain}` })
  const email = await ann.settled(id)
  expect(email.recipients[0]).toMatchObject({ status: 'delivered', attempts: 2 })
  const copies = service.mx.contents.filter(({ raw }) => raw.includes(`Message-ID: <${id}@`))
  expect(copies).toHaveLength(2)
  expect(copies[0]?.raw.equals(copies[1]?.raw as Buffer)).toBe(true)
})

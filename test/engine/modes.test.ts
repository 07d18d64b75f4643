import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { simpleParser } from 'mailparser'
import { afterAll, describe, expect, test } from 'vitest'
import { startMx, type TestMx } from '../support/mx.ts'
import { testCa } from '../support/mx-script.ts'
import { type Sender, startTestSendwright, type TestSendwright } from '../support/sendwright.ts'

const ordinaryCas = getCACertificates('default')
const stops: (() => Promise<void>)[] = []
afterAll(async () => {
  setDefaultCACertificates(ordinaryCas)
  for (const stop of stops.reverse()) await stop()
})

let running: TestSendwright | undefined
let mode: string | undefined

/**
 * Starts the service in another mode, over the database of the tests before, and with a new team. Without the scheduler, emails
 * that one test leaves delayed are not retried in the next.
 */
async function start(environment: Record<string, string>): Promise<{ service: TestSendwright; ann: Sender }> {
  if (running === undefined) {
    const service = await startTestSendwright({ environment, roles: ['api', 'deliver'] })
    stops.push(() => service.stop())
    running = service
  } else if (environment.SENDWRIGHT_DELIVERY !== mode) await running.restart(environment)
  mode = environment.SENDWRIGHT_DELIVERY
  return { service: running, ann: await running.givenSender() }
}

describe('in relay mode', () => {
  const login = { user: 'us@r', password: 'p:ss/w' }
  const relayUrl = (scheme: string, host: string, { port }: TestMx) =>
    `${scheme}://${encodeURIComponent(login.user)}:${encodeURIComponent(login.password)}@${host}:${port}`

  for (const [scheme, implicitTls] of [
    ['smtp', false],
    ['smtps', true],
  ] as const) {
    test(`sent by ${scheme} with AUTH inside TLS`, async () => {
      setDefaultCACertificates([...ordinaryCas, testCa()])
      const relay = await startMx({ login, tls: true, implicitTls })
      stops.push(() => relay.close())
      const { service, ann } = await start({ SENDWRIGHT_DELIVERY: relayUrl(scheme, 'relay.mx.test', relay) })
      service.dns.set({ 'relay.mx.test': { a: ['127.0.0.1'] } })
      const email = await ann.settled(await ann.send({ to: ['bob@anywhere.test'] }))
      expect(email.status).toBe('sent')
      expect(relay.messages).toMatchObject([{ user: login.user, to: ['bob@anywhere.test'] }])
      expect(relay.messages[0]?.tls).toMatch(/^TLS/)
      const { text } = await ann.get(`/emails/${email.id}/attempts`)
      expect(text).not.toContain(Buffer.from(`\0${login.user}\0${login.password}`).toString('base64'))
      expect(text).not.toContain(login.password)
    })
  }

  test('delivery_delayed, and no password on the wire, when the certificate of a relay is invalid', async () => {
    setDefaultCACertificates(ordinaryCas)
    const relay = await startMx({ login, tls: true })
    stops.push(() => relay.close())
    // The mapped form of a local address does not count as local.
    const { ann } = await start({ SENDWRIGHT_DELIVERY: relayUrl('smtp', '[::ffff:127.0.0.1]', relay) })
    const id = await ann.send({ to: 'bob@anywhere.test' })
    await ann.seen(id, ({ status }) => status === 'delivery_delayed')
    expect(relay.connectionCount).toBeGreaterThan(0)
    expect(relay.commands.filter(({ line }) => line.startsWith('AUTH'))).toEqual([])
  })

  for (const tls of [true, false]) {
    test(`sent with AUTH by a relay on this machine ${tls ? 'with a self-signed certificate' : 'without TLS'}`, async () => {
      setDefaultCACertificates(ordinaryCas)
      const relay = await startMx({ login, tls })
      stops.push(() => relay.close())
      const { ann } = await start({ SENDWRIGHT_DELIVERY: relayUrl('smtp', '127.0.0.1', relay) })
      expect((await ann.settled(await ann.send({ to: 'bob@anywhere.test' }))).status).toBe('sent')
      expect(relay.messages).toMatchObject([
        { user: login.user, tls: tls ? expect.stringMatching(/^TLS/) : null },
      ])
    })
  }

  test('delivery_delayed, and nothing in the clear, when the domain enforces TLS and the relay has none', async () => {
    const relay = await startMx()
    stops.push(() => relay.close())
    const { ann } = await start({ SENDWRIGHT_DELIVERY: `smtp://127.0.0.1:${relay.port}` })
    await ann.patch(`/domains/${ann.domainId}`, { tls: 'enforced' })
    const id = await ann.send({ to: 'bob@anywhere.test' })
    await ann.seen(id, ({ status }) => status === 'delivery_delayed')
    expect(relay.contents).toEqual([])
  })

  test('sent by the second relay when the first is down, and by one whose name only this machine resolves', async () => {
    const relay = await startMx()
    stops.push(() => relay.close())
    const delivery = `smtp://127.0.0.9:${relay.port},smtp://localhost:${relay.port}`
    const { ann } = await start({ SENDWRIGHT_DELIVERY: delivery })
    const email = await ann.settled(await ann.send({ to: 'bob@anywhere.test' }))
    expect(email.recipients[0]).toMatchObject({ status: 'sent', mx_host: 'localhost', attempts: 1 })
  })

  test('sent, like its recipient, when the relay accepts it; simulated addresses never reach the relay', async () => {
    const relay = await startMx()
    stops.push(() => relay.close())
    const { service, ann } = await start({ SENDWRIGHT_DELIVERY: `smtp://relay.test:${relay.port}` })
    service.dns.set({ 'relay.test': { a: ['127.0.0.1'] } })
    const email = await ann.settled(await ann.send({ to: ['bob@nowhere.test', 'delivered@simulator.test'] }))
    expect(email.recipients.map((row: { status: string }) => row.status)).toEqual(['sent', 'delivered'])
    expect(email.recipients[0].mx_host).toBe('relay.test')
    expect(relay.messages.map(({ to }) => to)).toEqual([['bob@nowhere.test']])
    const bounced = await ann.settled(await ann.send({ to: 'bounced@simulator.test' }))
    expect(bounced.status).toBe('bounced')
    const single = await ann.settled(await ann.send({ to: 'bob@nowhere.test' }))
    expect(single).toMatchObject({ status: 'sent', last_event: 'sent' })
    expect(single.sent_at).not.toBe(null)
  })
})

describe('in capture mode', () => {
  test('delivered to every legal address, also with a quoted local part', async () => {
    const { ann } = await start({ SENDWRIGHT_DELIVERY: 'capture' })
    const to = ['"a b"@to.test', '"a..b"@to.test', '".a"@to.test', '"a."@to.test', 'élan@to.test']
    const email = await ann.settled(await ann.send({ to }))
    expect(email.recipients.map(({ status }: { status: string }) => status)).toEqual(
      to.map(() => 'delivered'),
    )
    const { json } = await ann.get('/captured')
    expect(json.data.map(({ envelope_to }: { envelope_to: string }) => envelope_to).sort()).toEqual(
      to.toSorted(),
    )
    expect((await ann.get('/suppressions')).json.data).toEqual([])
  })

  test('delivered to the local mailbox and not to the MX; listed, read and emptied only by the same team', async () => {
    const { service, ann } = await start({ SENDWRIGHT_DELIVERY: 'capture' })
    const bob = await service.givenSender()
    const attachments = [{ filename: 'a.txt', content: 'aGk=' }]
    const id = await ann.send({
      to: 'Bob <bob@gmail.com>',
      bcc: 'eve@gmail.com',
      html: '<b>x</b>',
      attachments,
    })
    expect((await ann.settled(id)).status).toBe('delivered')
    expect(service.mx.connectionCount).toBe(0)
    const list = await ann.get('/captured')
    expect(list.json.meta.total).toBe(2)
    expect(list.json.data.map((row: { envelope_to: string }) => row.envelope_to).sort()).toEqual([
      'bob@gmail.com',
      'eve@gmail.com',
    ])
    const [first] = list.json.data
    expect(first).toMatchObject({ object: 'captured', email_id: id, subject: 'Hello' })
    const one = await ann.get(`/captured/${first.id}`)
    expect(one.json.raw).toBe((await ann.get(`/emails/${id}/raw`)).text)
    const parsed = await simpleParser(Buffer.from(one.json.raw, 'latin1'))
    expect(one.json.text.trim()).toBe(parsed.text?.trim())
    expect(one.json.attachments).toMatchObject([{ filename: 'a.txt', content: 'aGk=', size: 2 }])

    expect((await bob.get('/captured')).json.data).toEqual([])
    const foreign = await bob.get(`/captured/${first.id}`)
    const unknown = await bob.get('/captured/01900000-0000-7000-8000-000000000000')
    expect([foreign.status, foreign.text]).toEqual([unknown.status, unknown.text])
    expect((await bob.delete('/captured')).json).toMatchObject({ deleted: true, count: 0 })
    expect((await ann.delete('/captured')).json).toEqual({ object: 'captured', deleted: true, count: 2 })
    expect((await ann.get('/captured')).json.data).toEqual([])
    for (const name of ['delivered', 'bounced', 'complained']) {
      const email = await ann.settled(await ann.send({ to: `${name}@simulator.test` }))
      expect(email.last_event).toBe(name)
    }
    expect((await ann.get('/captured')).json.data).toEqual([])
  })
})

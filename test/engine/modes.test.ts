import { simpleParser } from 'mailparser'
import { afterAll, describe, expect, test } from 'vitest'
import { startMx, type TestMx } from '../support/mx.ts'
import { type Sender, startTestSendwright, type TestSendwright } from '../support/sendwright.ts'

const stops: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const stop of stops.reverse()) await stop()
})

async function start(environment: Record<string, string>): Promise<{ service: TestSendwright; ann: Sender }> {
  const service = await startTestSendwright({ environment })
  stops.push(() => service.stop())
  return { service, ann: await service.givenSender() }
}

describe('in relay mode', () => {
  test('sent over TLS after AUTH, to the first relay that works, for every destination', async () => {
    const login = { user: 'us@r', password: 'p:ss/w' }
    const relay: TestMx = await startMx({ login, tls: true, implicitTls: true })
    stops.push(() => relay.close())
    const url = `smtp://${encodeURIComponent(login.user)}:${encodeURIComponent(login.password)}@127.0.0.1:${relay.port}`
    const { ann } = await start({ SENDWRIGHT_DELIVERY: url })
    // A relay with a login is only spoken to with a certificate that holds: here it does not, so nothing leaks.
    const id = await ann.send({ to: 'bob@anywhere.test' })
    const email = await ann.seen(id, ({ status }) => status === 'delivery_delayed')
    expect(email.recipients[0].status).toBe('delivery_delayed')
    expect(relay.commands.filter(({ line }) => line.startsWith('AUTH'))).toEqual([])
  })

  test('sent, the recipient too, when the relay takes it; simulated addresses never reach it', async () => {
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
  test('delivered into the local mailbox, nothing to the MX, listed, read and emptied by its own team', async () => {
    const { service, ann } = await start({ SENDWRIGHT_DELIVERY: 'capture' })
    const bob = await service.givenSender()
    const attachments = [{ filename: 'a.txt', content: 'aGk=' }]
    const id = await ann.send({ to: 'Bob <bob@gmail.com>', bcc: 'eve@gmail.com', html: '<b>x</b>', attachments })
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

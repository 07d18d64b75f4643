import { Resolver } from 'node:dns/promises'
import { authenticate } from 'mailauth'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startMx } from '../support/mx.ts'
import { makeRules } from '../support/rules.ts'
import { type Sender, startTestSendwright, type TestSendwright } from '../support/sendwright.ts'

let service: TestSendwright
let rules: ReturnType<typeof makeRules>

beforeAll(async () => {
  rules = makeRules()
  service = await startTestSendwright({
    environment: { SENDWRIGHT_RULES_FILE: rules.path, SENDWRIGHT_RETRY_SCHEDULE: '1h' },
  })
})
afterAll(async () => {
  await service?.stop()
  rules?.remove()
})

/** Checks the signatures of a message with an independent verifier, as its receiver would. */
async function verify(raw: Buffer) {
  const resolver = new Resolver()
  resolver.setServers([service.dns.server])
  const { dkim } = await authenticate(raw, {
    ip: '127.0.0.1',
    helo: 'mail.sendwright.test',
    resolver: (name: string, type: string) => resolver.resolve(name, type) as Promise<string[][]>,
  })
  return dkim.results.map(({ status, algo, signingHeaders }) => ({
    result: status.result,
    algo,
    signed: signingHeaders?.keys.toLowerCase().split(/\s*:\s*/),
  }))
}

const countSignatures = (raw: Buffer) => raw.toString('latin1').match(/^DKIM-Signature:/gim)?.length ?? 0

/** Sets the domain's setting, publishes its records and verifies it. */
async function setEd25519(sender: Sender, isOn: boolean): Promise<void> {
  const { json } = await sender.patch(`/domains/${sender.domainId}`, { dkim_ed25519: isOn })
  expect(json.dkim_ed25519).toBe(isOn)
  for (const { name, type, value } of json.records) {
    if (type === 'TXT') service.dns.set({ [name]: { txt: [value] } })
  }
  expect((await sender.post(`/domains/${sender.domainId}/verify`)).status).toBe(200)
}

const rawOf = async (sender: Sender, id: string) =>
  Buffer.from((await sender.get(`/emails/${id}/raw`)).text, 'utf8')

/** Sends an email, and returns it as its server got it and as /raw shows it. */
async function sendOne(sender: Sender, to: string, mx = service.mx) {
  const id = await sender.send({ to, headers: { 'In-Reply-To': '<first@elsewhere.test>' } })
  await sender.settled(id)
  const got = mx.messages.find(({ raw }) => raw.includes(id))?.raw ?? Buffer.alloc(0)
  expect((await rawOf(sender, id)).toString()).toBe(got.toString())
  return { id, raw: got }
}

test('signed once, with RSA; twice while the domain asks for Ed25519', async () => {
  const ann = await service.givenSender()
  const to = `bob@${service.givenDestination()}`
  expect(await verify((await sendOne(ann, to)).raw)).toMatchObject([{ result: 'pass', algo: 'rsa-sha256' }])
  const bob = await service.givenSender()
  await setEd25519(bob, true)
  expect(await verify((await sendOne(bob, to)).raw)).toMatchObject([
    { result: 'pass', algo: 'rsa-sha256' },
    { result: 'pass', algo: 'ed25519-sha256' },
  ])
})

test('the first signature of an email is kept, when it is sent again and in /raw', async () => {
  const ann = await service.givenSender()
  await setEd25519(ann, true)
  const mx = await startMx({
    address: '127.0.0.81',
    port: service.mx.port,
    script: [{ expect: '<message>', answer: '451 4.3.0 Later', times: 1 }],
  })
  onTestFinished(() => mx.close())
  service.dns.set({ 'kept.receiver.test': { a: ['127.0.0.81'] } })
  const to = `bob@${service.givenDestination({ mx: [[10, 'kept.receiver.test']] })}`
  const id = await ann.send({ to })
  await ann.seen(id, ({ status }) => status === 'delivery_delayed')
  const before = await rawOf(ann, id)
  expect(countSignatures(before)).toBe(2)
  await setEd25519(ann, false)
  // Processes notice a changed domain after 30 seconds: a new one knows only the new setting.
  await service.restart({ PORT: new URL(service.url).port })
  await service.db.query('update delivery set due_at = now() where email_id = $1', [id])
  await ann.settled(id)
  expect(await rawOf(ann, id)).toEqual(before)
  expect(mx.messages.map(({ raw }) => raw.toString())).toEqual([before.toString()])
})

interface RelayCase {
  unsigned?: string[]
  signed: string[]
  not: string[]
}

test.each<RelayCase>([
  { signed: ['date', 'message-id'], not: [] },
  { unsigned: ['message-id'], signed: ['date'], not: ['message-id'] },
  { unsigned: ['date', 'message-id'], signed: [], not: ['date', 'message-id'] },
])('signed once towards a relay, without $not', async ({ unsigned, signed, not }) => {
  const ann = await service.givenSender()
  await setEd25519(ann, true)
  const relay = await startMx()
  onTestFinished(() => relay.close())
  rules.write({
    relays: [{ name: 'ses', url: `smtp://127.0.0.1:${relay.port}`, ...(unsigned && { unsigned }) }],
    routes: [{ via: 'ses' }],
  })
  await service.reload()
  const { raw } = await sendOne(ann, `bob@${service.givenDestination()}`, relay)
  // Amazon SES replaces these fields.
  let replaced = raw.toString()
  for (const name of not)
    replaced = replaced.replace(new RegExp(`^${name}: .*\\r\\n`, 'im'), `${name}: another\r\n`)
  const results = await verify(Buffer.from(replaced))
  expect(results).toMatchObject([{ result: 'pass', algo: 'rsa-sha256' }])
  const names = results[0]?.signed ?? []
  for (const name of ['from', 'to', 'subject', 'in-reply-to', 'mime-version', 'content-type', ...signed])
    expect(names).toContain(name)
  for (const name of not) expect(names).not.toContain(name)
})

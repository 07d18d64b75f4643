import { Resolver } from 'node:dns/promises'
import { authenticate } from 'mailauth'
import { simpleParser } from 'mailparser'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MxMessage } from '../support/mx-script.ts'
import { type Sender, startTestSendwright, type TestSendwright } from '../support/sendwright.ts'

const CAPABILITIES = ['PIPELINING', 'SIZE 37500000', '8BITMIME', 'CHUNKING', 'ENHANCEDSTATUSCODES']
const CONTENT = Buffer.alloc(1_500_000, 'abcdefghi.\n')

let service: TestSendwright
let ann: Sender
beforeAll(async () => {
  service = await startTestSendwright({ mx: { capabilities: CAPABILITIES } })
  ann = await service.givenSender({ dkimEd25519: true })
})
afterAll(() => service.stop())

/** Sends an email with an attachment of 1.5 MB, and returns the message that the MX received. */
async function sendLarge(to: string): Promise<{ id: string; message: MxMessage; verbs: string[] }> {
  const before = service.mx.commands.length
  const attachments = [{ filename: 'a.bin', content: CONTENT.toString('base64') }]
  const id = await ann.send({ to, attachments })
  expect((await ann.settled(id)).status).toBe('delivered')
  const messages = service.mx.messages.filter((message) => message.to.includes(to))
  expect(messages).toHaveLength(1)
  const verbs = service.mx.commands
    .slice(before)
    .flatMap(({ line }) => /^(?:BDAT|DATA)/.exec(line)?.[0] ?? [])
  return { id, message: messages[0] as MxMessage, verbs }
}

async function verify({ raw, from }: MxMessage): Promise<string[]> {
  const resolver = new Resolver()
  resolver.setServers([service.dns.server])
  const { dkim } = await authenticate(raw, {
    ip: '127.0.0.1',
    helo: 'mail.sendwright.test',
    sender: from,
    mta: 'mx.receiver.test',
    resolver: (name: string, type: string) => resolver.resolve(name, type) as Promise<string[][]>,
  })
  return dkim.results.map(({ status }) => status.result)
}

test('delivered in chunks, complete and signed, to a server that offers CHUNKING; a small one after it by DATA', async () => {
  const domain = service.givenDestination()
  const { id, message, verbs } = await sendLarge(`bob@${domain}`)
  expect(new Set(verbs)).toEqual(new Set(['BDAT']))
  expect(verbs.length).toBeGreaterThan(1)
  expect((await simpleParser(message.raw)).attachments[0]?.content.equals(CONTENT)).toBe(true)
  expect(await verify(message)).toEqual(['pass', 'pass'])
  expect((await ann.get(`/emails/${id}/raw`)).text).toBe(message.raw.toString('latin1'))
  expect((await ann.settled(await ann.send({ to: `small@${domain}` }))).status).toBe('delivered')
  expect(service.mx.commands.at(-1)?.line).toBe('DATA')
  expect(service.mx.connectionCount).toBe(1)
})

test('delivered once by DATA at the second attempt when the server rejects chunks at the first', async () => {
  service.mx.script({ expect: 'BDAT', answer: '451 4.3.0 No chunks now', times: 1 })
  const { id, message, verbs } = await sendLarge(`carol@${service.givenDestination()}`)
  expect(verbs[0]).toBe('BDAT')
  expect(verbs.at(-1)).toBe('DATA')
  expect(await verify(message)).toEqual(['pass', 'pass'])
  const { json } = await ann.get(`/emails/${id}/attempts`)
  expect(json.data.map(({ outcome }: { outcome: string }) => outcome).sort()).toEqual([
    'deferred',
    'delivered',
  ])
})

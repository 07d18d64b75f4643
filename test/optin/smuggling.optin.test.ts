import { simpleParser } from 'mailparser'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { installPeers } from '../../bench/support/install-peers.ts'
import { findFreePort } from '../support/ports.ts'
import { type Sender, startTestSendwright, type TestSendwright } from '../support/sendwright.ts'
import { installServers } from './support/install-servers.ts'
import { startReceivingExim } from './support/receiving-exim.ts'
import { startReceivingOpensmtpd } from './support/receiving-opensmtpd.ts'
import { startReceivingPostfix } from './support/receiving-postfix.ts'
import type { ReceivingServer } from './support/receiving-server.ts'
import { sendNaively, sendRaw } from './support/send-raw.ts'

const absent = await installPeers()
const installed = await installServers()
for (const why of [absent, 'absent' in installed ? installed.absent : null]) {
  if (why !== null) process.stderr.write(`${why}\n`)
}

afterAll(() => {
  if (!('absent' in installed)) installed.remove()
})

const SERVERS: [name: string, isAbsent: boolean, start: () => Promise<ReceivingServer>][] = [
  [
    'Postfix',
    absent !== null,
    async () => ({ name: 'Postfix', ...(await startReceivingPostfix(await findFreePort())) }),
  ],
  ['Exim', 'absent' in installed, () => startReceivingExim('absent' in installed ? '' : installed.exim)],
  [
    'OpenSMTPD',
    'absent' in installed,
    () => startReceivingOpensmtpd('absent' in installed ? '' : installed.opensmtpd),
  ],
]

/** The content of a smuggled message. */
const SECOND =
  'MAIL FROM:<evil@evil.test>\r\nRCPT TO:<victim@receiver.test>\r\nDATA\r\nSubject: smuggled\r\n\r\nx'
/** All line endings before and after a dot, including those of RFC 5321. */
const LINE_ENDS = ['\r\n', '\n', '\r', '\n\r', '\r\r\n', '\n\n', '\r\r']
const ENDS = [
  ...LINE_ENDS.flatMap((before) => LINE_ENDS.map((after) => `${before}.${after}`)),
  '\r\n.\r\n.\r\n',
  '\n..\n',
  '\r\n..\r\n',
]
const USUAL_ENDS = ['\n.\n', '\r.\r', '\n.\r\n', '\r\n.\n', '\r\n.\r', '\r.\r\n', '\n\n.\r\n']
const normal = (text: string | undefined) => (text ?? '').replace(/\r\n?|\n/g, '\n').replace(/\n+$/, '')
const hexOf = (end: string) => Buffer.from(end).toString('hex')
const LARGE_BYTES = 400_000

describe.each(SERVERS.filter(([, isAbsent]) => !isAbsent))(
  'one message stays one at %s',
  { timeout: 120_000 },
  (_name, _isAbsent, start) => {
    let server: ReceivingServer
    let service: TestSendwright
    let ann: Sender
    beforeAll(async () => {
      server = await start()
      service = await startTestSendwright({ environment: { SENDWRIGHT_MX_PORT: `${server.port}` } })
      ann = await service.givenSender()
    }, 120_000)
    afterAll(async () => {
      await service?.stop()
      await server?.stop()
    })

    /** Waits until every sent message has arrived, then checks that nothing else did, each with its text. */
    async function expectOneEach(texts: ReadonlyMap<string, string>, before: number): Promise<void> {
      await expect
        .poll(() => server.messages().length, { timeout: 60_000 })
        .toBeGreaterThanOrEqual(before + texts.size)
      const last = `last-after-${before}-x`
      // A second message would arrive on the same connection, before this one.
      await sendRaw(server.port, [Buffer.from(`Subject: ${last}\r\n\r\nx\r\n`)])
      await expect.poll(() => server.messages().some((raw) => raw.includes(last))).toBe(true)
      const messages = server.messages()
      expect(
        messages.filter((raw) => /^Subject: smuggled/m.test(raw.toString('latin1').split('\n\n')[0] ?? '')),
      ).toEqual([])
      expect(messages).toHaveLength(before + texts.size + 1)
      for (const [mark, text] of texts) {
        const found = messages.filter((raw) => raw.includes(`Subject: ${mark}\n`))
        expect(found, mark).toHaveLength(1)
        expect(normal((await simpleParser(found[0] as Buffer)).text), mark).toBe(normal(text))
      }
    }

    test('one message for each body that contains an end of data, by the API', async () => {
      const before = server.messages().length
      const texts = new Map(ENDS.map((end) => [`text-${hexOf(end)}-x`, `before${end}${SECOND}${end}after`]))
      for (const [subject, text] of texts) {
        await ann.send({ to: `bob@${service.givenDestination()}`, subject, text, html: `<pre>${text}</pre>` })
      }
      await expectOneEach(texts, before)
    })

    test('one message for each raw message that contains an end of data, by the API', async () => {
      const before = server.messages().length
      const texts = new Map(ENDS.map((end) => [`raw-${hexOf(end)}-x`, `before${end}${SECOND}${end}after`]))
      for (const [subject, text] of texts) {
        const to = `bob@${service.givenDestination()}`
        const raw = `From: ann@${ann.domain}\r\nTo: ${to}\r\nSubject: ${subject}\r\n\r\n${text}\r\n`
        const { status } = await ann.post('/emails/mime', {
          envelope_from: `ann@${ann.domain}`,
          envelope_to: to,
          raw_message: raw,
        })
        expect(status, subject).toBe(202)
      }
      await expectOneEach(texts, before)
    })

    test('one message for each end of data in the bytes, split anywhere', async () => {
      const before = server.messages().length
      const texts = new Map<string, string>()
      for (const end of ENDS) {
        const text = `before${end}${SECOND}${end}after`
        for (const how of ['whole', 'cut']) {
          const mark = `bytes-${how}-${hexOf(end)}-x`
          const bytes = Buffer.from(`Subject: ${mark}\r\n\r\n${text}\r\n`)
          const pieces = Array.from({ length: bytes.length }, (_, at) => bytes.subarray(at, at + 1))
          await sendRaw(server.port, how === 'cut' ? pieces : [bytes])
          texts.set(mark, text)
        }
      }
      await expectOneEach(texts, before)
    })

    test('one message for each end of data in a large message, in chunks if the server supports them', async () => {
      const before = server.messages().length
      const texts = new Map<string, string>()
      const methods = new Set<string>()
      for (const end of ENDS) {
        const mark = `large-${hexOf(end)}-x`
        const text = `before${end}${SECOND}${end}${`${'y'.repeat(76)}\r\n`.repeat(LARGE_BYTES / 78)}${end}after`
        const log = await sendRaw(server.port, [Buffer.from(`Subject: ${mark}\r\n\r\n${text}\r\n`)], true)
        methods.add(log.some((line) => line.startsWith('BDAT')) ? 'BDAT' : 'DATA')
        texts.set(mark, text)
      }
      expect([...methods]).toEqual([server.name === 'OpenSMTPD' ? 'DATA' : 'BDAT'])
      await expectOneEach(texts, before)
      console.log(`${server.name}: ${ENDS.length} ends of data, large messages by ${[...methods]}`)
    })

    // Not a guarantee of the product: the behavior of these servers with a naive client shows that the tests above
    // are meaningful.
    test('the result with a naive client is reported', async () => {
      const tricked: string[] = []
      for (const end of USUAL_ENDS) {
        const before = server.messages().length
        await sendNaively(server.port, `Subject: a\r\n\r\nbefore${end}${SECOND}\r\n.\r\n`)
        if (server.messages().length > before + 1) tricked.push(JSON.stringify(end))
      }
      console.log(`${server.name} can be tricked by ${tricked.length === 0 ? 'none' : tricked.join(' ')}`)
      expect(server.messages().length).toBeGreaterThan(0)
    }, 120_000)
  },
)

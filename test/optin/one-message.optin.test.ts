import { once } from 'node:events'
import { connect } from 'node:net'
import { simpleParser } from 'mailparser'
import PostalMime from 'postal-mime'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { installPeers } from '../../bench/support/install-peers.ts'
import { type PostfixWorld, startPostfixWorld } from './support/postfix-world.ts'
import { sendRaw } from './support/send-raw.ts'

const absent = await installPeers()
if (absent !== null) process.stderr.write(`${absent}\n`)

/** The content of a smuggled message. */
const SECOND =
  'MAIL FROM:<evil@evil.test>\r\nRCPT TO:<victim@receiver.test>\r\nDATA\r\nSubject: smuggled\r\n\r\nx'
const ENDS = [
  '\r\n.\r\n',
  '\n.\n',
  '\r.\r',
  '\n.\r\n',
  '\r\n.\n',
  '\r\n.\r',
  '\r.\r\n',
  '\n\n.\r\n',
  '\r\n\0.\r\n',
]

describe.skipIf(absent !== null)('in the Postfix mailbox', () => {
  let world: PostfixWorld
  beforeAll(async () => {
    world = await startPostfixWorld()
  }, 120_000)
  afterAll(() => world?.stop())

  const normal = (text: string | undefined) => (text ?? '').replace(/\r\n?|\n/g, '\n').replace(/\n+$/, '')

  async function expectBody(raw: Buffer, text: string): Promise<void> {
    const parsed = await simpleParser(raw)
    expect(normal(parsed.text)).toBe(normal(text))
    expect(normal((await new PostalMime().parse(raw)).text)).toBe(normal(text))
  }

  test('complete: names, subject, both bodies and files, as two parsers read them', async () => {
    const content = Buffer.from(Array.from({ length: 4096 }, (_, index) => index % 251)).toString('base64')
    const [raw] = await world.arrived({
      from: `"Grüße, Ann" <ann@${world.ann.domain}>`,
      subject: 'Überraschung 😀',
      text: 'Zeile 1\nZeile 2 – ü',
      html: '<p>Zeile 1<br>Zeile 2 – ü</p>',
      attachments: [{ filename: 'Rechnung für März.pdf', content }],
    })
    const mailparser = await simpleParser(raw as Buffer)
    const postalMime = await new PostalMime().parse(raw as Buffer)
    expect(mailparser).toMatchObject({
      subject: 'Überraschung 😀',
      from: { value: [{ name: 'Grüße, Ann', address: `ann@${world.ann.domain}` }] },
    })
    expect(postalMime).toMatchObject({
      subject: 'Überraschung 😀',
      from: { name: 'Grüße, Ann', address: `ann@${world.ann.domain}` },
    })
    await expectBody(raw as Buffer, 'Zeile 1\nZeile 2 – ü')
    expect(mailparser.html).toContain('Zeile 2 – ü')
    expect(mailparser.attachments[0]?.filename).toBe('Rechnung für März.pdf')
    expect(mailparser.attachments[0]?.content.toString('base64')).toBe(content)
    expect(postalMime.attachments[0]?.filename).toBe('Rechnung für März.pdf')
  })

  test.each(ENDS)('one message for a body that contains %j', async (end) => {
    const text = `before${end}${SECOND}${end}after`
    const before = world.postfix.messages().length
    const [raw] = await world.arrived({ text, html: `<pre>${text}</pre>` })
    await expectBody(raw as Buffer, text)
    expect(world.postfix.messages()).toHaveLength(before + 1)
  })

  test('one message for lone dots, even on the first and last lines', async () => {
    const text = '.\n..\n...\n.x\n\n.\n\n. \n.'
    const [raw] = await world.arrived({ text })
    await expectBody(raw as Buffer, text)
  })

  test('two messages when a naive client sends an LF, a dot and CRLF: this Postfix can be tricked', async () => {
    const before = world.postfix.messages().length
    const lines = ['EHLO x', 'MAIL FROM:<a@evil.test>', 'RCPT TO:<b@receiver.test>', 'DATA']
    const socket = connect(world.postfix.port, '127.0.0.1').resume()
    socket.write(`${lines.join('\r\n')}\r\nSubject: a\r\n\r\nbefore\n.\r\n${SECOND}\r\n.\r\nQUIT\r\n`)
    await once(socket, 'close')
    await expect.poll(() => world.postfix.messages().length, { timeout: 20_000 }).toBe(before + 2)
  })

  test.each(ENDS)('one message when the bytes contain %j, split anywhere', async (end) => {
    const mark = `mark-${Buffer.from(end).toString('hex')}-`
    const bytes = Buffer.from(
      `Subject: ${mark}\r\nMIME-Version: 1.0\r\n\r\nbefore${end}${SECOND}${end}after\r\n`,
    )
    const cuts = Array.from({ length: bytes.length }, (_, at) => bytes.subarray(at, at + 1))
    const before = world.postfix.messages().length
    await sendRaw(world.postfix.port, [bytes])
    await sendRaw(world.postfix.port, cuts)
    for (const raw of await world.holding(`Subject: ${mark}`, 2)) {
      const { text } = await simpleParser(raw)
      expect(text).toContain('before')
      expect(text).toContain('RCPT TO:<victim@receiver.test>')
      expect(text).toContain('after')
    }
    expect(world.postfix.messages()).toHaveLength(before + 2)
  })
})

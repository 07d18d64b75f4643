import fc from 'fast-check'
import { simpleParser } from 'mailparser'
import { expect, test } from 'vitest'
import { parseMailbox } from './address.ts'
import { buildMessage, type MessageDraft } from './build.ts'

const ANN = parseMailbox('ann@example.org')

function build(html: string, text: string) {
  if (ANN === null) throw new Error('no mailbox')
  const draft: MessageDraft = {
    messageId: '1@example.com',
    date: new Date('2026-11-21T02:03:04Z'),
    from: ANN,
    to: [ANN],
    cc: [],
    replyTo: [],
    subject: 'Dots',
    html,
    text,
    headers: [],
    attachments: [],
  }
  return buildMessage(draft)
}

/** What a server gets, and undoes (RFC 5321 section 4.5.2). */
const stuffed = (wire: string) => wire.replace(/(^|\n)\./g, '$1..')

test('a message is ready for the wire if no line begins with a dot, and has only CRLF', () => {
  const words = fc.constantFrom('.', '..', '.ü', 'ü.', 'plain', '.plain', '', ' .', '€')
  const lines = fc.array(words, { maxLength: 8 })
  fc.assert(
    fc.property(lines, lines, fc.constantFrom('\n', '\r\n', '\r'), (html, text, lineEnd) => {
      const { bytes, isWireReady } = build(html.join(lineEnd), text.join(lineEnd))
      const wire = bytes.toString('latin1')
      expect(stuffed(wire) === wire).toBe(isWireReady)
      expect(wire.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
      expect(wire.endsWith('\r\n')).toBe(true)
    }),
  )
})

test('two long texts in one message are both complete', async () => {
  const [text = '', html = ''] = ['ü', 'ß'].map((letter) => `${letter} text\n`.repeat(20_000))
  const mail = await simpleParser(build(html, text).bytes)
  expect([mail.text, mail.html]).toEqual([text, html])
})

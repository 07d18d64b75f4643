import { simpleParser } from 'mailparser'
import PostalMime from 'postal-mime'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Sender } from '../support/sendwright.ts'
import { type SharedSendwright, shareSendwright } from '../support/shared-sendwright.ts'

let service: SharedSendwright
let ann: Sender

beforeAll(async () => {
  service = await shareSendwright('direct')
  ann = await service.givenSender()
})

/** Every field that becomes part of a header, with this text. */
const FIELDS: Record<string, (text: string) => Record<string, unknown>> = {
  subject: (text) => ({ subject: text }),
  'name in from': (text) => ({ from: `"${text}" <ann@${ann.domain}>` }),
  'bare name in from': (text) => ({ from: `${text}- <ann@${ann.domain}>` }),
  'address in from': (text) => ({ from: `ann${text}@${ann.domain}` }),
  'domain in from': (text) => ({ from: `ann@${ann.domain}${text}` }),
  'name in to': (text) => ({ to: [`"${text}" <bob@to.test>`] }),
  'quoted address in to': (text) => ({ to: `"${text}"@to.test` }),
  'domain in to': (text) => ({ to: `bob@to${text}.test` }),
  'name in cc': (text) => ({ cc: `${text}- <bob@to.test>` }),
  'name in bcc': (text) => ({ bcc: [`"${text}" <bob@to.test>`] }),
  'name in reply_to': (text) => ({ reply_to: `"${text}" <bob@to.test>` }),
  'address in reply_to': (text) => ({ reply_to: [`bob@to.test${text}`] }),
  'header name': (text) => ({ headers: { [`X-A${text}`]: 'x' } }),
  'header value': (text) => ({ headers: { 'X-A': text } }),
  filename: (text) => ({ attachments: [{ filename: `a${text}.txt`, content: 'aGk=' }] }),
  content_type: (text) => ({
    attachments: [{ filename: 'a', content: 'aGk=', content_type: `text/plain${text}` }],
  }),
  content_id: (text) => ({ attachments: [{ filename: 'a', content: 'aGk=', content_id: `a${text}` }] }),
  'tag name': (text) => ({ tags: [{ name: `a${text}`, value: 'x' }] }),
  'tag value': (text) => ({ tags: [{ name: 'a', value: `x${text}` }] }),
}
const BREAKS = [
  '\r\nBcc: evil@evil.test',
  '\nX-Injected: 1',
  '\rX-Injected: 1',
  '\0',
  '\r\n',
  '\n',
  '\r',
  '\r\n\r\nbody',
]
const FOLD = 'a\r\n b'
/** Fields that are unfolded, as mail programs fold them. `LOOKALIKES` shows what becomes of a fold. */
const FOLDABLE = /^(?:subject|header value|(?:bare )?name in .*)$/

describe('422, nothing stored and nothing sent, for', () => {
  for (const [field, make] of Object.entries(FIELDS)) {
    test(`CR, LF and NUL in the ${field}`, async () => {
      const before = await countEmails()
      for (const text of FOLDABLE.test(field) ? BREAKS : [...BREAKS, FOLD]) {
        for (const hostile of [text, `x${text}`, `x${text}x`]) {
          const { status, json } = await ann.post('/emails', ann.email(make(hostile)))
          expect([status, json.name], JSON.stringify(hostile)).toEqual([422, 'validation_error'])
        }
      }
      expect(await countEmails()).toBe(before)
      expect(service.mx.contents.filter(({ raw }) => raw.includes(ann.domain))).toEqual([])
    })
  }
})

async function countEmails(): Promise<number> {
  const [row] = await service.db.query<{ count: string }>('select count(*) from email where team_id = $1', [
    ann.id,
  ])
  return Number(row?.count)
}

const word = (bytes: string) => `=?utf-8?q?${bytes}?=`
/** Texts that other software may take for a line break, or decode into one. */
const LOOKALIKES = [
  'a\r\n Bcc: evil@evil.test',
  'a\n\tBcc: evil@evil.test',
  'a%0d%0aBcc: evil@evil.test',
  'a\\r\\nBcc: evil@evil.test',
  word('a=0d=0aBcc:_evil=40evil.test'),
  `=?utf-8?b?${Buffer.from('a\r\nBcc: evil@evil.test').toString('base64')}?=`,
  `${word('a=0d=0a')} ${word('Bcc:_evil=40evil.test')}`,
  'a\u2028Bcc: evil@evil.test',
  'a\u2029Bcc: evil@evil.test',
  'a\u0085Bcc: evil@evil.test',
  'a\u560d\u560aBcc: evil@evil.test',
  `${'long '.repeat(60)}Bcc: evil@evil.test`,
  `${'x'.repeat(900)} Bcc: evil@evil.test`,
]
const WITH_TEXT: Record<string, (text: string) => Record<string, unknown>> = {
  subject: (text) => ({ subject: text }),
  'name in from': (text) => ({ from: `"${text.replaceAll('\\', '\\\\')}" <ann@${ann.domain}>` }),
  'name in reply_to': (text) => ({ reply_to: `"${text.replaceAll('\\', '\\\\')}" <re@to.test>` }),
  'header value': (text) => ({ headers: { 'X-A': text } }),
  filename: (text) => ({ attachments: [{ filename: text, content: 'aGk=' }] }),
}
const unfolded = (text: string) => text.replace(/\r?\n(?=[ \t])/g, '').replaceAll('\t', ' ')
const SINGLE = ['from', 'to', 'subject', 'date', 'message-id', 'mime-version', 'content-type']

describe('one clean header, or 422, for a lookalike of a line break in the', () => {
  for (const [field, make] of Object.entries(WITH_TEXT)) {
    test(field, async () => {
      let sent = 0
      for (const text of LOOKALIKES) {
        const to = `bob@${service.givenDestination()}`
        const reply = await ann.post('/emails', ann.email({ ...make(text), to }))
        expect([202, 422], reply.text).toContain(reply.status)
        if (reply.status === 422) continue
        sent++
        await ann.settled(reply.json.id)
        const message = service.mx.messages.find(({ raw }) => raw.includes(`<${reply.json.id}@`))
        expectClean(message?.raw.toString('latin1') ?? '', text)
        const parsed = await simpleParser(message?.raw ?? '')
        expect(parsed.bcc).toBeUndefined()
        expect(parsed.headers.has('bcc')).toBe(false)
        expect(parsed.headers.has('x-injected')).toBe(false)
        // Unicode line separators are sent as spaces.
        const { subject } = await new PostalMime().parse(message?.raw ?? '')
        if (field === 'subject') expect(subject).toBe(unfolded(text).replace(/[\u0085\u2028\u2029]/g, ' '))
      }
      expect(sent).toBeGreaterThan(3)
    })
  }
})

function expectClean(raw: string, text: string): void {
  const head = raw.slice(0, raw.indexOf('\r\n\r\n'))
  const names = head.split(/\r\n(?![ \t])/).map((line) => line.slice(0, line.indexOf(':')).toLowerCase())
  for (const name of SINGLE)
    expect(
      names.filter((other) => other === name),
      text,
    ).toHaveLength(1)
  expect(names).not.toContain('bcc')
  expect(head.replaceAll('\r\n', '')).not.toMatch(/[\r\n\0]/)
  for (const line of raw.split('\r\n')) expect(line.length, text).toBeLessThanOrEqual(998)
}

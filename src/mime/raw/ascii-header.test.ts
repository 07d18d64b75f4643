import { isAscii } from 'node:buffer'
import { simpleParser } from 'mailparser'
import PostalMime from 'postal-mime'
import { expect, test } from 'vitest'
import { isProblem } from './message-problem.ts'
import { repairRawMessage } from './raw-message.ts'

const MISSING = { messageIdLocal: 'x', date: new Date(0) }
const FROM = 'From: ann@b.test\r\n'

function repair(header: string, body = 'x\r\n') {
  const repaired = repairRawMessage(Buffer.from(`${header}\r\n${body}`), MISSING)
  if (isProblem(repaired)) throw new Error(JSON.stringify(repaired))
  const end = repaired.bytes.indexOf('\r\n\r\n')
  const head = repaired.bytes.toString('utf8', 0, end)
  expect(Math.max(...head.split('\r\n').map((line) => line.length))).toBeLessThan(200)
  return { ...repaired, head, isAscii: isAscii(repaired.bytes) }
}

test('a Subject of raw UTF-8 is encoded, and reads as before', async () => {
  for (const subject of [
    'Grüße',
    'Ihre Rechnung für März  – 12,00 €',
    '=?utf-8?q?Gr=C3=BC=C3=9Fe?= aus Köln',
    'é '.repeat(300).trim(),
    'a =? b ü',
    '😀'.repeat(100),
  ]) {
    const plain = subject.replace('=?utf-8?q?Gr=C3=BC=C3=9Fe?=', 'Grüße')
    const repaired = repair(`${FROM}Subject: ${subject}\r\n`)
    expect(repaired).toMatchObject({ smtpUtf8: false, isAscii: true, subject: plain })
    expect((await PostalMime.parse(repaired.bytes)).subject).toBe(plain)
    expect((await simpleParser(repaired.bytes)).subject).toBe(plain)
  }
})

test('display names and comments of any address field are encoded, addresses stay', async () => {
  const header = [
    'From: Ännchen <ann@b.test>',
    'To: "Müller, Jörg" <joerg@x.test>, plain@x.test, Zoë Ünal <zoe@bücher.test> (Büro)',
    'Cc: Größe: a@x.test, Ö <b@x.test>;',
    'Reply-To: =?utf-8?q?A=C3=A9?= ü <c@x.test>',
    'Subject: x',
    '',
  ].join('\r\n')
  const repaired = repair(header)
  expect(repaired).toMatchObject({ smtpUtf8: false, isAscii: true, from: { name: 'Ännchen' } })
  const read = await PostalMime.parse(repaired.bytes)
  expect(read.from).toEqual({ name: 'Ännchen', address: 'ann@b.test' })
  expect(read.to).toEqual([
    { name: 'Müller, Jörg', address: 'joerg@x.test' },
    { name: '', address: 'plain@x.test' },
    { name: 'Zoë Ünal', address: 'zoe@xn--bcher-kva.test' },
  ])
  expect(read.cc).toMatchObject([
    { name: 'Größe', group: [{ address: 'a@x.test' }, { name: 'Ö', address: 'b@x.test' }] },
  ])
  expect(read.replyTo).toMatchObject([{ name: 'Aé ü', address: 'c@x.test' }])
  expect(repair('From: ann@b.test\r\nTo: "a  b"@x.test, "C  D" <c@x.test>, Ö <d@x.test>\r\n').head).toContain(
    'To: "a  b"@x.test, "C  D" <c@x.test>, ',
  )
  const other = await simpleParser(repaired.bytes)
  expect(other.to).toMatchObject({
    value: [{ name: 'Müller, Jörg' }, { address: 'plain@x.test' }, { name: 'Zoë Ünal' }],
  })
})

test('names of files in the headers of parts become parameters of RFC 2231', async () => {
  const repaired = repair(
    `${FROM}Content-Type: multipart/mixed; boundary="ab;c"\r\n`,
    `--ab;c\r\nContent-Type: text/plain; name="Übersicht; \\"A\\".txt"; charset=utf-8\r\nContent-Disposition: attachment;\r\n filename=Übersicht.txt\r\n\r\nx\r\n--ab;c--\r\n`,
  )
  expect(repaired).toMatchObject({ smtpUtf8: false, isAscii: true })
  expect((await PostalMime.parse(repaired.bytes)).attachments).toMatchObject([{ filename: 'Übersicht.txt' }])
  expect((await simpleParser(repaired.bytes)).attachments).toMatchObject([{ filename: 'Übersicht.txt' }])
})

test.each([
  ['without a charset', 'name="Übersicht.txt"'],
  ['with a final semicolon', 'name=Übersicht.txt;'],
  ['that says ASCII', 'name="Übersicht.txt"; charset=us-ascii'],
  ['that says ASCII first', 'charset="us-ascii"; name="Übersicht.txt"'],
])('the name of a text file %s becomes ASCII when its type gets a charset', async (_, parameters) => {
  const attached = `Content-Type: text/plain; ${parameters}\r\nContent-Disposition: attachment\r\n`
  for (const [header, body] of [
    [attached, 'Grüße\r\n'],
    ['Content-Type: multipart/mixed; boundary=b\r\n', `--b\r\n${attached}\r\nGrüße\r\n--b--\r\n`],
  ] as const) {
    const repaired = repair(`${FROM}${header}`, body)
    expect(repaired).toMatchObject({ smtpUtf8: false, isAscii: true })
    const text = repaired.bytes.toString('latin1')
    expect(text.match(/charset="?utf-8/g)).toHaveLength(1)
    expect(text).not.toContain('us-ascii')
    for (const attachments of [
      (await PostalMime.parse(repaired.bytes)).attachments,
      (await simpleParser(repaired.bytes)).attachments,
    ]) {
      expect(attachments).toMatchObject([{ filename: 'Übersicht.txt' }])
      expect(
        Buffer.from(attachments[0]?.content as Uint8Array)
          .toString()
          .trim(),
      ).toBe('Grüße')
    }
  }
})

test('URLs are percent-encoded, and identifiers of no message are left out', () => {
  const { head } = repair(
    `${FROM}List-Unsubscribe: <https://x.test/ü?a=b>, <mailto:u@x.test>\r\nReferences: <a@x.test> <ü@x.test>\r\n`,
  )
  expect(head).toContain('List-Unsubscribe: <https://x.test/%C3%BC?a=b>, <mailto:u@x.test>')
  expect(head).toContain('References: <a@x.test>')
  expect(head).not.toContain('xn--tda.test')
})

test('a URL that would no longer fit on a line keeps its header and demands SMTPUTF8', () => {
  const field = `List-Unsubscribe: <https://x.test/${'ü'.repeat(440)}>`
  const repaired = repairRawMessage(Buffer.from(`${FROM}${field}\r\n\r\nx\r\n`), MISSING)
  expect(repaired).toMatchObject({ smtpUtf8: true })
  expect('bytes' in repaired && repaired.bytes.toString()).toContain(`\r\n${field}\r\n`)
})

test('an address without an ASCII form keeps the header and demands SMTPUTF8', () => {
  for (const field of ['To: Jörg <jörg@x.test>', 'Cc: jörg@x.test', 'Reply-To: a@x.test, ü@y.test']) {
    const { smtpUtf8, head } = repair(`${FROM}Subject: ü\r\n${field}\r\n`)
    expect(smtpUtf8).toBe(true)
    expect(head).toContain(field)
    expect(head).toContain('Subject: ü')
  }
})

test('a message that another domain has signed stays as it is; a signature of its own domain is made anew', () => {
  const signed = (domain: string) =>
    repair(`DKIM-Signature: v=1; d=${domain}; s=a; b=x\r\n${FROM}Subject: ü\r\n`)
  expect(signed('other.test')).toMatchObject({ smtpUtf8: true, isAscii: false })
  expect(signed('b.test')).toMatchObject({ smtpUtf8: false, isAscii: true })
})

test('hostile values take linear time', () => {
  for (const unit of ['"\\', '<', '(', ';a="\\', '"', ',ü', 'ü ', '=?', '(ü', '\\"']) {
    for (const name of ['To', 'Subject', 'X-Other', 'Content-Disposition', 'Date']) {
      const lines = Array.from(
        { length: 250 },
        () => ` ${unit.repeat(Math.floor(900 / Buffer.byteLength(unit)))}`,
      )
      const header = `${FROM}${name}: ü${lines.join('\r\n')}\r\n`
      const before = process.cpuUsage()
      repairRawMessage(Buffer.from(`${header}\r\nx`), MISSING)
      const { user } = process.cpuUsage(before)
      expect([name, unit, user / 1e6 > 5]).toEqual([name, unit, false])
    }
  }
})

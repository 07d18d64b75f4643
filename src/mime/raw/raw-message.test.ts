import fc from 'fast-check'
import { simpleParser } from 'mailparser'
import PostalMime from 'postal-mime'
import { describe, expect, test } from 'vitest'
import { type HeaderProblem, isProblem, type MailboxFault, type MessageProblem } from './message-problem.ts'
import { type RawMessage, repairRawMessage } from './raw-message.ts'

const MISSING = { messageIdLocal: '0198-id', date: new Date('2026-02-03T04:05:06Z') }

function repair(text: string): RawMessage {
  const result = repairRawMessage(text, MISSING)
  if (isProblem(result)) throw new Error(`It was rejected: ${result.problem}`)
  return result
}

const textOf = (text: string) => repair(text).bytes.toString()
const whole = (header: string, body = 'x\r\n') => `From: ann@b.test\r\n${header}\r\n${body}`

function problemOf(text: string): MessageProblem {
  const result = repairRawMessage(text, MISSING)
  if (isProblem(result)) return result
  throw new Error('It was accepted.')
}

describe('repaired', () => {
  test('repaired: the shortest message, of ten characters', () => {
    const { bytes, from, messageId } = repair('From:a@b.c')
    expect(bytes.toString()).toBe(
      'From:a@b.c\r\nDate: Tue, 03 Feb 2026 04:05:06 +0000\r\nMessage-ID: <0198-id@b.c>\r\n\r\n',
    )
    expect(from).toMatchObject({ address: 'a@b.c', domain: 'b.c' })
    expect(messageId).toBe('0198-id@b.c')
  })

  test('repaired: a complete message stays the same, byte for byte', () => {
    const given = whole(
      'To: c@d.test\r\nSubject: Hi\r\nDate: Mon, 2 Feb 2026 10:00:00 +0100\r\nMessage-ID: <own@b.test>\r\nReceived: by x\r\nDKIM-Signature: v=1; d=other.test; b=x\r\n',
    )
    const { bytes, messageId, subject, smtpUtf8 } = repair(given)
    expect(bytes.toString()).toBe(given)
    expect({ messageId, subject, smtpUtf8 }).toEqual({
      messageId: 'own@b.test',
      subject: 'Hi',
      smtpUtf8: false,
    })
  })

  test.each([
    ['Bcc', 'Bcc: hidden@to.test\r\n'],
    ['a folded bCC', 'bCC: hidden@to.test,\r\n hidden2@to.test\r\n'],
    ['several Bcc', 'Bcc: hidden@to.test\r\nBcc: hidden@to.test\r\n'],
    ['Return-Path', 'Return-Path: <hidden@x.test>\r\n'],
    ['Authentication-Results', 'AUTHENTICATION-RESULTS: x.test;\r\n dkim=pass header.d=hidden.test\r\n'],
    ['Received-SPF', 'received-spf:\r\n pass (hidden)\r\n'],
    ['ARC-Seal', 'ARC-Seal: i=1; cv=none; d=hidden.test\r\n'],
    ['ARC-Message-Signature', 'Arc-Message-Signature: i=1;\r\n\td=hidden.test\r\n'],
    ['ARC-Authentication-Results', 'ARC-Authentication-Results: i=1; hidden.test\r\n'],
    ['Resent-From', 'Resent-From: hidden@x.test\r\n'],
    ['Resent-Bcc', 'Resent-Bcc: hidden@x.test\r\nResent-Sender: hidden@x.test\r\n'],
    ['what the service marks with', 'X-Sendwright-Id: hidden\r\n'],
    ['a signature of the same domain', 'DKIM-Signature: v=1; a=hidden;\r\n\td = B.test; b=x\r\n'],
    ['a signature without a domain', 'DKIM-Signature: hidden\r\n'],
  ])('repaired: without %s', (_, header) => {
    const text = textOf(whole(`X-Before: 1\r\n${header}X-After: 2\r\n`))
    expect(text).not.toContain('hidden')
    expect(text).toContain('\r\nX-Before: 1\r\nX-After: 2\r\n')
  })

  test('repaired: X-Sendwright-Require-TLS is kept once, in its plain form, if one of its fields says yes', () => {
    const header = 'x-sendwright-require-tls:\r\n True\r\nX-A: b\r\nX-Sendwright-Require-TLS: no\r\n'
    expect(textOf(whole(header)).match(/^x-sendwright.*$/gim)).toEqual(['X-Sendwright-Require-TLS: yes'])
    expect(textOf(whole('X-Sendwright-Require-TLS: no\r\n'))).not.toMatch(/x-sendwright/i)
    expect(problemOf(whole('X-Sendwright-Require-TLS: ja\r\n'))).toEqual({ problem: 'require_tls_value' })
  })

  test.each([
    'no-brackets@b.test',
    '<a b@c.test>',
    '<a@b@c.test>',
    '<>',
    '',
    '<a@b.test> <c@d.test>',
    `<${'x'.repeat(900)}@b.test>`,
  ])('repaired: an invalid Message-ID, %j, is replaced', (id) => {
    const { bytes, messageId } = repair(whole(`Message-ID: ${id}\r\n`))
    expect(messageId).toBe('0198-id@b.test')
    expect(bytes.toString().match(/^message-id:.*$/gim)).toEqual(['Message-ID: <0198-id@b.test>'])
  })

  test('repaired: an empty Date is replaced, any other is kept', () => {
    expect(textOf(whole('Date:\r\n')).match(/^date:.*$/gim)).toEqual([
      'Date: Tue, 03 Feb 2026 04:05:06 +0000',
    ])
    expect(textOf(whole('Date: yesterday\r\n'))).toContain('\r\nDate: yesterday\r\n')
  })

  test('repaired: MIME-Version is added if the message is MIME', () => {
    expect(textOf(whole('Content-Type: text/html\r\n'))).toContain('\r\nMIME-Version: 1.0\r\n')
    expect(textOf(whole('Subject: x\r\n'))).not.toContain('MIME-Version')
  })

  test.each([
    ['a domain in full-width letters', 'ann@ｂ．ｔｅｓｔ', 'From: ann@b.test\r\n'],
    ['a U-label', 'Ann <ann@bücher.test>', 'From: Ann <ann@xn--bcher-kva.test>\r\n'],
    ['an ideographic full stop', '"Ann" <ann@b。test>', 'From: Ann <ann@b.test>\r\n'],
    [
      'a U-label beside a name',
      '=?utf-8?q?=C3=84nn?= <ann@ü.test>',
      'From: =?UTF-8?Q?=C3=84nn?= <ann@xn--tda.test>\r\n',
    ],
  ])('repaired: %s is sent in the form of the verified domain', (_, from, field) => {
    const { bytes, smtpUtf8 } = repair(`From: ${from}\r\nSubject: x\r\n\r\nx`)
    expect(bytes.toString().startsWith(field)).toBe(true)
    expect(smtpUtf8).toBe(false)
  })

  test('repaired: bare line ends everywhere, so that one message stays one', () => {
    const text = textOf('From: ann@b.test\nSubject: x\r\ra\n.\nMAIL FROM:<x@y.test>\r.\r\n.\n\r.')
    expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
    expect(text.split('\r\n\r\n')[1]).toBe('a\r\n.\r\nMAIL FROM:<x@y.test>\r\n.\r\n.')
  })

  test('repaired: a second repair changes nothing', () => {
    const line = fc.constantFrom(
      'Subject: =?utf-8?q?a?= ü',
      'Bcc: x@y.test',
      'Message-ID: x',
      'Date:',
      'Content-Type: text/plain',
      'Content-Type: multipart/mixed; boundary=b',
      'Content-Transfer-Encoding: base64',
      'Content-Transfer-Encoding: quoted-printable',
      'Content-Transfer-Encoding: 8bit',
      ' folded',
      '',
      '--b',
      '--b--',
      'ü',
      'x'.repeat(1200),
      'a=20=',
      '.',
    )
    const end = fc.constantFrom('\r\n', '\n', '\r')
    const lines = fc.array(fc.tuple(line, end), { maxLength: 12 })
    let acceptedCount = 0
    fc.assert(
      fc.property(lines, (given) => {
        const text = `From: ann@b.test\r\n${given.flat().join('')}`
        const once = repairRawMessage(text, MISSING)
        if (isProblem(once)) return
        acceptedCount++
        expect(repair(once.bytes.toString())).toEqual(once)
        const wire = once.bytes.toString('latin1')
        expect(wire.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
        for (const row of wire.split('\r\n')) expect(row.length).toBeLessThanOrEqual(998)
      }),
      { numRuns: 2000 },
    )
    expect(acceptedCount).toBeGreaterThan(200)
  })
})

describe('refused', () => {
  const malformed = (cause: HeaderProblem): MessageProblem => ({ problem: 'malformed_header', cause })
  const notAField = (line: number, shown: string) => malformed({ problem: 'not_a_field', line, shown })
  const control = (line: number) => malformed({ problem: 'control_character', line })
  const blank = (line: number) => malformed({ problem: 'blank_line', line })
  const notOneFrom: MessageProblem = { problem: 'not_one_from' }
  const notOneSender = (fault: MailboxFault): MessageProblem => ({
    problem: 'not_one_address',
    name: 'sender',
    fault,
  })
  const nul: MessageProblem = { problem: 'nul_character' }

  test.each<[title: string, text: string, problem: MessageProblem]>([
    ['no field at all', '\r\nFrom: ann@b.test\r\n\r\nbody text', { problem: 'no_header' }],
    ['text without a header', 'hello world, how are you', notAField(1, 'hello world, how are you')],
    ['no From', 'Subject: x\r\n\r\nFrom: ann@b.test\r\n', notOneFrom],
    [
      'an empty From',
      'From:\r\nTo: x@y.test\r\n\r\nx',
      { problem: 'not_one_address', name: 'from', fault: 'empty' },
    ],
    ['two From', 'From: ann@b.test\r\nfrom: ann@b.test\r\n\r\nx', notOneFrom],
    ['two From, one last', 'From: ann@b.test\r\nSubject: x\r\nFROM: e@x.test\r\n\r\nx', notOneFrom],
    ['a space before the colon', whole('From : e@x.test\r\n'), notAField(2, 'From : e@x.test')],
    ['a tab before the colon', whole('From\t: e@x.test\r\n'), notAField(2, 'From?: e@x.test')],
    ['a NUL before the name', whole('\0From: e@x.test\r\n'), nul],
    ['a control in the name', whole('\u0001From: e@x.test\r\n'), control(2)],
    ['a byte order mark in front', '\ufeffFrom: ann@b.test\r\n\r\nx', control(1)],
    ['a full-width name', whole('Ｆrom: e@x.test\r\n'), notAField(2, '???rom: e@x.test')],
    ['a no-break space before the name', whole('\u00a0From: e@x.test\r\n'), notAField(2, '??From: e@x.test')],
    ['a folded first line', ' From: ann@b.test\r\n\r\nx', notAField(1, ' From: ann@b.test')],
    [
      'a line of an mbox',
      'From ann Sat Nov 21 05:07:26\r\nFrom: ann@b.test\r\n\r\nx',
      notAField(1, 'From ann Sat Nov 21 05:07:26'),
    ],
    ['a line of white space, then From', whole('Subject: x\r\n \r\nFrom: e@x.test\r\n'), blank(3)],
    ['a line of white space', whole('Subject: x\r\n\t \r\nTo: e@x.test\r\n'), blank(3)],
    ['a NEL in a header', whole('Subject: x\u0085From: e@x.test\r\n'), control(2)],
    ['a line separator in a header', whole('Subject: x\u2028From: e@x.test\r\n'), control(2)],
    ['a vertical tab in a header', whole('Subject: x\u000bFrom: e@x.test\r\n'), control(2)],
    [
      'a long header line',
      whole(`Subject: ${'x'.repeat(1000)}\r\n`),
      malformed({ problem: 'long_line', line: 2, octetsMax: 998 }),
    ],
    ['51 Received', whole('Received: by x\r\n'.repeat(51)), { problem: 'too_many_received', countMax: 50 }],
    ['NUL in the body', whole('', 'a\0b'), nul],
    ['a group in Sender', whole('Sender: g: a@b.test;\r\n'), notOneSender('group')],
    ['two addresses in Sender', whole('Sender: a@b.test, c@d.test\r\n'), notOneSender('several')],
  ])('refused: %s', (_, text, problem) => expect(problemOf(text)).toEqual(problem))

  test.each([
    'Sender',
    'Reply-To',
    'To',
    'Cc',
    'Subject',
    'Date',
    'Message-ID',
    'In-Reply-To',
    'References',
    'MIME-Version',
    'Content-Type',
    'Content-Transfer-Encoding',
  ])('refused: two %s', (name) => {
    const value = name === 'Sender' ? 'a@b.test' : 'text/plain'
    const text = whole(`${name}: ${value}\r\n${name.toLowerCase()}: ${value}\r\n`)
    expect(problemOf(text)).toEqual({ problem: 'repeated_field', name: name.toLowerCase() })
  })

  test.each([
    'ann@b.test, e@x.test',
    'e@x.test, Ann <ann@b.test>',
    'Ann <ann@b.test>, Eve <e@x.test>',
    'ann@b.test e@x.test',
    '<e@x.test> <ann@b.test>',
    'e@x.test <ann@b.test>',
    'Team: ann@b.test;',
    'Team: e@x.test, ann@b.test;',
    '(e@x.test) ann@b.test',
    'ann@b.test (e@x.test)',
    'ann(comment)@b.test',
    'Ann (e@x.test) <ann@b.test>',
    '<@x.test:ann@b.test>',
    '<ann@b.test',
    'ann@b.test>',
    '<ann@b.test> x',
    'Ann <<ann@b.test>>',
    '< ann@b.test >',
    'ann @b.test',
    'ann@b.test.',
    'ann@b',
    'ann@[127.0.0.1]',
    'ann@b.test@x.test',
    '"e@x.test"@b.test',
    '"a\\"b"@b.test',
    '=?utf-8?q?e=40x.test?=',
    '=?utf-8?q?e?=@b.test',
    '=?utf-8?q?Ann_=3Ce=40x.test=3E?= <ann@b.test>',
    '=?utf-8?q?Ann=0D=0ABcc:_e@x.test?= <ann@b.test>',
    '=?utf-8?b?AA==?= <ann@b.test>',
    'Acme, Inc. <ann@b.test>',
    '"Ann <ann@b.test>',
    'Ann" <ann@b.test>',
    'undisclosed:;',
    '\u3000ann@b.test',
    `${`${'a'.repeat(900)}\r\n `.repeat(3)}<ann@b.test>`,
  ])('refused: From %# %.40s', (from) => {
    expect(problemOf(`From: ${from}\r\nSubject: x\r\n\r\nx`)).toMatchObject({
      problem: 'not_one_address',
      name: 'from',
    })
  })
})

test('any accepted message has one From, the same for two parsers', async () => {
  const piece = fc.constantFrom(
    ...[
      'ann@b.test',
      '<ann@b.test>',
      'e@x.test',
      '<e@x.test>',
      '"e@x.test"',
      '"',
      'Ann',
      '(c)',
      '(',
      ')',
      ',',
      ';',
    ],
    ...[
      ':',
      '<',
      '>',
      '@',
      '\r\n ',
      '\t',
      ' ',
      '=?utf-8?q?e=40x.test?=',
      '=?utf-8?q?=3Ce=40x.test=3E?=',
      '\\',
    ],
    ...['=?utf-8?q?a=2C_b=22?=', 'ü', '.', 'Team:', '=?x', '?=', '\u3000', '=?utf-8?q?a=0D=0ABcc:_x?='],
  )
  const join = (pieces: readonly string[]) => pieces.join('')
  const value = fc.oneof(
    fc.array(piece, { maxLength: 6 }).map(join),
    fc.array(piece, { maxLength: 5 }).map((pieces) => `${join(pieces)} <ann@b.test>`),
    fc.array(piece, { maxLength: 4 }).map((pieces) => `"${join(pieces).replaceAll('"', '')}" <ann@b.test>`),
  )
  let acceptedCount = 0
  await fc.assert(
    fc.asyncProperty(value, async (from) => {
      const message = repairRawMessage(`From: ${from}\r\nSubject: x\r\n\r\nx`, MISSING)
      if (isProblem(message)) return
      acceptedCount++
      const [postal, simple] = [await PostalMime.parse(message.bytes), await simpleParser(message.bytes)]
      const address = message.from.address.toLowerCase()
      expect(postal.from?.address?.toLowerCase()).toBe(address)
      expect(simple.from?.value.map((mailbox) => mailbox.address?.toLowerCase())).toEqual([address])
    }),
    { numRuns: 2000 },
  )
  expect(acceptedCount).toBeGreaterThan(200)
})

describe('read', () => {
  test.each([
    ['=?utf-8?q?Gr=C3=BC=C3=9Fe?=\r\n =?utf-8?b?8J+YgA==?=', 'Grüße😀'],
    ['=?iso-8859-1?q?M=E4rz?= plain', 'März plain'],
    ['=?utf-8?q?a=0D=0ABcc:_x=00y?=', 'a Bcc: x y'],
    ['=?utf-16le?b?ANg=?=', '\ufffd'],
    ['', ''],
    [`${'=?utf-8?b?8J+YgPCfmIA=?=\r\n '.repeat(600)}x`, '😀'.repeat(998)],
  ])('read: a subject as one line of text (%#)', (subject, expected) => {
    expect(repair(whole(`Subject: ${subject}\r\n`)).subject).toBe(expected)
  })

  test.each([
    ['From: Ann <ann@b.test>', 'Ann'],
    ['From:\r\n =?utf-8?q?=C3=84nn?=\r\n <ann@b.test>', 'Änn'],
    ['From: "Ann, \\"of\\" (Acme)" <ann@b.test>', 'Ann, "of" (Acme)'],
    ["From: Dr. Ann O'Hara <ann@b.test>", "Dr. Ann O'Hara"],
    ['From: Änn <ann@b.test>', 'Änn'],
    ['From: <ann@b.test>', ''],
  ])('read: the name in %j', (field, name) => {
    expect(repair(`${field}\r\nSubject: x\r\n\r\n`).from.name).toBe(name)
  })

  test('read: of unencoded UTF-8 in a header, only an address needs SMTPUTF8', () => {
    expect(repair(whole('Subject: ü\r\n')).smtpUtf8).toBe(false)
    expect(repair('From: änn@b.test\r\nSubject: x\r\n\r\n').smtpUtf8).toBe(true)
    const part = '--b\r\nContent-Disposition: attachment; filename="ü"\r\n\r\nx\r\n--b--\r\n'
    const message = repair(whole('Content-Type: multipart/mixed; boundary=b\r\n', part))
    expect(message.smtpUtf8).toBe(false)
    expect(message.attachments).toEqual([
      { filename: 'ü', contentType: 'text/plain', contentId: null, size: 1 },
    ])
    expect(repair(whole('Bcc: ü@x.test\r\n', 'ü')).smtpUtf8).toBe(false)
  })
})

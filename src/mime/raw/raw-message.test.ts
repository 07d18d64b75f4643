import fc from 'fast-check'
import { simpleParser } from 'mailparser'
import PostalMime from 'postal-mime'
import { describe, expect, test } from 'vitest'
import { ApiError } from '../../lib/api-error.ts'
import { repairRawMessage } from './raw-message.ts'

const MISSING = { messageIdLocal: '0198-id', date: new Date('2026-02-03T04:05:06Z') }
const repair = (text: string) => repairRawMessage(text, MISSING)
const textOf = (text: string) => repair(text).bytes.toString()
const whole = (header: string, body = 'x\r\n') => `From: ann@b.test\r\n${header}\r\n${body}`

/** The 422's message, which must be on `raw_message`. */
function apiErrorOf(text: string): string {
  try {
    repair(text)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    expect(Object.keys(error.errors ?? {})).toEqual(['raw_message'])
    return error.message
  }
  throw new Error('It was accepted.')
}

describe('repaired', () => {
  test('repaired: the ten characters that are the shortest message', () => {
    const { bytes, from, messageId } = repair('From:a@b.c')
    expect(bytes.toString()).toBe(
      'From:a@b.c\r\nDate: Tue, 03 Feb 2026 04:05:06 +0000\r\nMessage-ID: <0198-id@b.c>\r\n\r\n',
    )
    expect(from).toMatchObject({ address: 'a@b.c', domain: 'b.c' })
    expect(messageId).toBe('0198-id@b.c')
  })

  test('repaired: nothing of a message that lacks nothing, byte for byte', () => {
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

  test('repaired: X-Sendwright-Require-TLS stays once, in its plain form, when one of its fields says yes', () => {
    const header = 'x-sendwright-require-tls:\r\n True\r\nX-A: b\r\nX-Sendwright-Require-TLS: no\r\n'
    expect(textOf(whole(header)).match(/^x-sendwright.*$/gim)).toEqual(['X-Sendwright-Require-TLS: yes'])
    expect(textOf(whole('X-Sendwright-Require-TLS: no\r\n'))).not.toMatch(/x-sendwright/i)
    expect(() => repair(whole('X-Sendwright-Require-TLS: ja\r\n'))).toThrow('must be yes or no')
  })

  test.each([
    'no-brackets@b.test',
    '<a b@c.test>',
    '<a@b@c.test>',
    '<>',
    '',
    '<a@b.test> <c@d.test>',
    `<${'x'.repeat(900)}@b.test>`,
  ])('repaired: a Message-ID that is none, %j, is replaced', (id) => {
    const { bytes, messageId } = repair(whole(`Message-ID: ${id}\r\n`))
    expect(messageId).toBe('0198-id@b.test')
    expect(bytes.toString().match(/^message-id:.*$/gim)).toEqual(['Message-ID: <0198-id@b.test>'])
  })

  test('repaired: an empty Date is replaced, another one is left', () => {
    expect(textOf(whole('Date:\r\n')).match(/^date:.*$/gim)).toEqual([
      'Date: Tue, 03 Feb 2026 04:05:06 +0000',
    ])
    expect(textOf(whole('Date: yesterday\r\n'))).toContain('\r\nDate: yesterday\r\n')
  })

  test('repaired: MIME-Version is added where the message is MIME', () => {
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
  ])('repaired: %s goes out as the domain is verified', (_, from, field) => {
    const { bytes, smtpUtf8 } = repair(`From: ${from}\r\nSubject: x\r\n\r\nx`)
    expect(bytes.toString().startsWith(field)).toBe(true)
    expect(smtpUtf8).toBe(false)
  })

  test('repaired: bare line ends everywhere, so that one message stays one', () => {
    const text = textOf('From: ann@b.test\nSubject: x\r\ra\n.\nMAIL FROM:<x@y.test>\r.\r\n.\n\r.')
    expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
    expect(text.split('\r\n\r\n')[1]).toBe('a\r\n.\r\nMAIL FROM:<x@y.test>\r\n.\r\n.')
  })

  test('repaired: twice is the same as once', () => {
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
        let once: ReturnType<typeof repair>
        try {
          once = repair(text)
        } catch (error) {
          expect(error).toBeInstanceOf(ApiError)
          return
        }
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
  test.each([
    ['no field at all', '\r\nFrom: ann@b.test\r\n\r\nbody text', /must begin with header fields/],
    ['text without a header', 'hello world, how are you', /line 1 is no header field/],
    ['no From', 'Subject: x\r\n\r\nFrom: ann@b.test\r\n', /exactly one From/],
    ['an empty From', 'From:\r\nTo: x@y.test\r\n\r\nx', /exactly one address/],
    ['two From', 'From: ann@b.test\r\nfrom: ann@b.test\r\n\r\nx', /exactly one From/],
    ['two From, one last', 'From: ann@b.test\r\nSubject: x\r\nFROM: e@x.test\r\n\r\nx', /exactly one From/],
    ['a space before the colon', whole('From : e@x.test\r\n'), /line 2 is no header field/],
    ['a tab before the colon', whole('From\t: e@x.test\r\n'), /line 2 is no header field/],
    ['a NUL before the name', whole('\0From: e@x.test\r\n'), /U\+0000/],
    ['a control in the name', whole('\u0001From: e@x.test\r\n'), /line 2 holds a control character/],
    ['a byte order mark in front', '\ufeffFrom: ann@b.test\r\n\r\nx', /line 1/],
    ['a full-width name', whole('Ｆrom: e@x.test\r\n'), /line 2 is no header field/],
    ['a no-break space before the name', whole('\u00a0From: e@x.test\r\n'), /line 2 is no header field/],
    ['a folded first line', ' From: ann@b.test\r\n\r\nx', /line 1 is no header field/],
    ['a line of an mbox', 'From ann Sat Nov 21 05:07:26\r\nFrom: ann@b.test\r\n\r\nx', /line 1/],
    ['a line of white space, then From', whole('Subject: x\r\n \r\nFrom: e@x.test\r\n'), /From|white space/],
    ['a line of white space', whole('Subject: x\r\n\t \r\nTo: e@x.test\r\n'), /white space/],
    ['a NEL in a header', whole('Subject: x\u0085From: e@x.test\r\n'), /control character/],
    ['a line separator in a header', whole('Subject: x\u2028From: e@x.test\r\n'), /control character/],
    ['a vertical tab in a header', whole('Subject: x\u000bFrom: e@x.test\r\n'), /control character/],
    ['a long header line', whole(`Subject: ${'x'.repeat(1000)}\r\n`), /line 2 is longer/],
    ['51 Received', whole('Received: by x\r\n'.repeat(51)), /more than 50 Received/],
    ['NUL in the body', whole('', 'a\0b'), /U\+0000/],
    ['a group in Sender', whole('Sender: g: a@b.test;\r\n'), /sender header field/],
    ['two addresses in Sender', whole('Sender: a@b.test, c@d.test\r\n'), /sender header field/],
  ])('refused: %s', (_, text, message) => expect(apiErrorOf(text)).toMatch(message))

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
    expect(apiErrorOf(text)).toBe(
      `The raw_message field must not have more than one ${name.toLowerCase()} header field.`,
    )
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
    expect(apiErrorOf(`From: ${from}\r\nSubject: x\r\n\r\nx`)).toMatch(/exactly one address/)
  })
})

test('one From, the same for two parsers, whatever is accepted', async () => {
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
      let message: ReturnType<typeof repair>
      try {
        message = repair(`From: ${from}\r\nSubject: x\r\n\r\nx`)
      } catch (error) {
        expect(error).toBeInstanceOf(ApiError)
        return
      }
      acceptedCount++
      const [mine, theirs] = [await PostalMime.parse(message.bytes), await simpleParser(message.bytes)]
      const address = message.from.address.toLowerCase()
      expect(mine.from?.address?.toLowerCase()).toBe(address)
      expect(theirs.from?.value.map((mailbox) => mailbox.address?.toLowerCase())).toEqual([address])
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

  test('read: unencoded UTF-8 in a header, of the message or of a part, needs SMTPUTF8', () => {
    expect(repair(whole('Subject: ü\r\n')).smtpUtf8).toBe(true)
    expect(repair('From: änn@b.test\r\nSubject: x\r\n\r\n').smtpUtf8).toBe(true)
    const part = '--b\r\nContent-Disposition: attachment; filename="ü"\r\n\r\nx\r\n--b--\r\n'
    const message = repair(whole('Content-Type: multipart/mixed; boundary=b\r\n', part))
    expect(message.smtpUtf8).toBe(true)
    expect(message.attachments).toEqual([
      { filename: 'ü', contentType: 'text/plain', contentId: null, size: 1 },
    ])
    expect(repair(whole('Bcc: ü@x.test\r\n', 'ü')).smtpUtf8).toBe(false)
  })
})

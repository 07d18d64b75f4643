import { fill } from './pathological.ts'

/** Messages; `unit` is repeated until the message has its size. */
const MESSAGES: Record<string, { before?: string; unit: string; after?: string }> = {
  'empty lines': { before: '\r\n', unit: '\r\n' },
  'lines of one letter': { before: '\r\n', unit: 'a\r\n' },
  'lines of one dot': { before: '\r\n', unit: '..\r\n' },
  'lines of 998': { before: '\r\n', unit: `${'a'.repeat(998)}\r\n` },
  'lines of 1,000 and more': { before: '\r\n', unit: `${'a'.repeat(5_000)}\r\n` },
  'lines of two octets of UTF-8': { before: '\r\n', unit: 'é\r\n' },
  'soft line breaks': { before: 'Content-Transfer-Encoding: quoted-printable\r\n\r\n', unit: '=\r\n' },
  'quoted octets': { before: 'Content-Transfer-Encoding: quoted-printable\r\n\r\n', unit: '=C3=A9\r\n' },
  'base64 in lines of four': { before: 'Content-Transfer-Encoding: base64\r\n\r\n', unit: 'QUJD\r\n' },
  'base64 of line ends': {
    before: 'Content-Transfer-Encoding: base64\r\n\r\n',
    unit: `${'DQoN'.repeat(19)}\r\n`,
  },
  'padding of base64': { before: 'Content-Transfer-Encoding: base64\r\n\r\n', unit: '====\r\n' },
  'html of open tags': { before: 'Content-Type: text/html\r\n\r\n', unit: '<b><i>\r\n' },
  'html of one style': { before: 'Content-Type: text/html\r\n\r\n<style>\r\n', unit: 'a{}\r\n' },
  'html of attributes': { before: 'Content-Type: text/html\r\n\r\n<p\r\n', unit: ' a=b\r\n' },
  'html of links': { before: 'Content-Type: text/html\r\n\r\n', unit: '<a href="http://a.test/">a</a>\r\n' },
  'header fields': { unit: 'X-A: b\r\n', after: '\r\nHello' },
  'one folded field': { before: 'X-A: b\r\n', unit: ' a\r\n', after: '\r\nHello' },
  'recipients in a field': { before: 'Cc: a@b.test', unit: ',\r\n a@b.test', after: '\r\n\r\nHello' },
  'open comments in a field': { before: 'Reply-To: ', unit: '((((((((\r\n ', after: 'a@b.test\r\n\r\nHello' },
  'encoded words': { before: 'Comments: a\r\n', unit: ' =?utf-8?q?=C3=A9?=\r\n', after: '\r\nHello' },
  'base64 words': { before: 'Cc: a\r\n', unit: ' =?a?b?QUFBQUFBQUFBQUFBQUFB?=\r\n', after: '\r\nHello' },
  'parameters of a type': { before: 'Content-Type: text/plain', unit: ';\r\n a=b', after: '\r\n\r\nHello' },
  'fields without a colon': { unit: 'a\r\n', after: '\r\nHello' },
  references: { before: 'References: <a@b>', unit: '\r\n <a@b>', after: '\r\n\r\nHello' },
  'parts without a header': { before: MIXED(), unit: '--b1\r\n\r\na\r\n', after: '--b1--\r\n' },
  'boundaries alone': { before: MIXED(), unit: '--b1\r\n', after: '--b1--\r\n' },
  'almost boundaries': { before: MIXED(), unit: '--b\r\n', after: '--b1--\r\n' },
  'parts in parts': {
    before: MIXED(),
    unit: '--b1\r\nContent-Type: multipart/mixed; boundary=b1\r\n\r\n',
    after: '--b1--\r\n',
  },
  'messages in messages': {
    before: 'Content-Type: message/rfc822\r\n\r\n',
    unit: 'Content-Type: message/rfc822\r\n\r\n',
  },
  attachments: {
    before: MIXED(),
    unit: '--b1\r\nContent-Disposition: attachment; filename=a\r\nContent-Transfer-Encoding: base64\r\n\r\nQQ==\r\n',
    after: '--b1--\r\n',
  },
}

/** Contents of DSNs for the inbound port. */
const DSNS: Record<string, { before?: string; unit: string; after?: string }> = {
  'groups of a DSN': {
    before: REPORT('delivery-status'),
    unit: 'Final-Recipient: rfc822; a@b.test\r\nAction: failed\r\nStatus: 5.1.1\r\n\r\n',
    after: '--b1--\r\n',
  },
  'fields of a notice': {
    before: REPORT('delivery-status'),
    unit: 'Status: 5.1.1\r\n',
    after: '\r\n--b1--\r\n',
  },
  'folds of a diagnostic code': {
    before: `${REPORT('delivery-status')}Diagnostic-Code: smtp; 550\r\n`,
    unit: ' 5.1.1\r\n',
    after: '\r\n--b1--\r\n',
  },
  'fields of a complaint': {
    before: REPORT('feedback-report'),
    unit: 'Feedback-Type: abuse\r\n',
    after: '\r\n--b1--\r\n',
  },
  'a returned header': {
    before:
      'Content-Type: multipart/report; boundary=b1\r\n\r\n--b1\r\nContent-Type: text/rfc822-headers\r\n\r\n',
    unit: 'To: a@b.test\r\n',
    after: '\r\n--b1--\r\n',
  },
  'replies in text': { before: '\r\n', unit: '550 5.1.1 <a@b.test>: user unknown\r\n' },
  'addresses in text': { before: '\r\n', unit: '<a@b.test>:\r\n' },
  'addresses in one line': { before: '\r\n', unit: 'a@b.test ' },
  'long words before at signs': { before: '\r\n', unit: `${'a'.repeat(990)}@\r\n` },
  'at signs in one line': { before: '\r\n', unit: '@' },
  'angle brackets in one line': { before: '\r\n', unit: '<' },
  'digits in one line': { before: '\r\n', unit: '550' },
  'dots in one line': { before: '\r\n', unit: '5.' },
  'hyphens of a domain': { before: '\r\na@', unit: '-' },
  'spaces in one line': { before: '\r\n', unit: ' ' },
  'colons in one line': { before: '\r\n', unit: ': ' },
  'quoted lines': { before: '\r\n', unit: '> > 550 a@b.test\r\n' },
  'braces of JSON': { before: '\r\n', unit: '{"a":"{\\"b\\":' },
}

function MIXED(): string {
  return 'Content-Type: multipart/mixed; boundary=b1\r\n\r\n'
}

function REPORT(type: string): string {
  return `Content-Type: multipart/report; report-type=${type}; boundary=b1\r\n\r\n--b1\r\nContent-Type: message/${type}\r\n\r\n`
}

/** Returns messages of this size, with lines that a server accepts unchanged. */
export function messageShapes(from: string, bytes: number): Record<string, () => Buffer> {
  return makeAll(
    MESSAGES,
    `From: ${from}\r\nTo: bob@receiver.test\r\nSubject: Hello\r\nMIME-Version: 1.0\r\n`,
    bytes,
  )
}

export function dsnShapes(bytes: number): Record<string, () => Buffer> {
  const head = 'From: <MAILER-DAEMON@mx.receiver.test>\r\nSubject: Undelivered Mail Returned to Sender\r\n'
  return makeAll({ ...DSNS, ...MESSAGES }, head, bytes)
}

function makeAll(all: typeof MESSAGES, head: string, bytes: number): Record<string, () => Buffer> {
  return Object.fromEntries(
    Object.entries(all).map(([name, { before = '', unit, after = '' }]) => [
      name,
      () =>
        Buffer.from(head + before + fill(unit, bytes - head.length - before.length - after.length) + after),
    ]),
  )
}

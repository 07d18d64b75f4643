import { describe, expect, test } from 'vitest'
import { checkContentType, cleanFilename } from './attachment-name.ts'
import { buildMessage } from './build.ts'

describe('file names', () => {
  test.each([
    ['invoice.pdf', 'invoice.pdf'],
    ['/etc/passwd', 'passwd'],
    ['../../up.txt', 'up.txt'],
    ['C:\\Users\\me\\a.txt', 'a.txt'],
    ['C:a.txt', 'a.txt'],
    ['\\\\server\\share\\a.txt', 'a.txt'],
    ['mixed/a\\b.txt', 'b.txt'],
    ['evil\u202egpj.exe', 'evilgpj.exe'],
    ['a\u2066b\u2069c\u200f.txt', 'abc.txt'],
    ['tab\there\u0007.txt', 'tabhere.txt'],
    ['lone\ud800.txt', 'lone\ufffd.txt'],
    ['請求書.pdf', '請求書.pdf'],
    ['😀'.repeat(255), '😀'.repeat(255)],
    ['.htaccess', '.htaccess'],
  ])('accepted: %j becomes %j', (name, clean) => {
    expect(cleanFilename(name)).toBe(clean)
  })

  test.each([
    '',
    '/',
    'dir/',
    '.',
    '..',
    'a/..',
    ' ',
    'C:',
    '\u202e',
    'a\r\nb',
    'a\0b',
    'a\nb/c.txt',
    'n'.repeat(256),
    'n'.repeat(1_000_000),
  ])('refused: %.60j', (name) => {
    expect(cleanFilename(name)).toBeNull()
  })
})

describe('media types', () => {
  test.each([
    ['application/pdf', 'application/pdf'],
    ['Image/PNG', 'image/png'],
    [
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    ],
    ['image/svg+xml', 'image/svg+xml'],
  ])('accepted: %s', (type, lower) => {
    expect(checkContentType(type)).toBe(lower)
  })

  test.each([
    ['text/plain; charset=utf-8', 'text/plain; charset="utf-8"'],
    ['Text/Calendar;METHOD=REQUEST; charset="UTF-8"', 'text/calendar; method="REQUEST"; charset="UTF-8"'],
    ['application/json;charset=utf-8', 'application/json; charset="utf-8"'],
    ['application/pdf; charset=binary; name="a b.pdf"; x=1', 'application/pdf; x="1"'],
    ["application/pdf; name*=utf-8''a", 'application/pdf'],
    ['a/b; x="a\\"b"', "a/b; x*=utf-8''a%22b"],
    [' image/png ; ', 'image/png'],
    ['multipart/mixed; boundary=b', 'application/octet-stream'],
    ['Message/RFC822', 'application/octet-stream'],
  ])('written: %j as %j', (given, type) => expect(checkContentType(given)).toBe(type))

  test.each([
    '',
    'pdf',
    'text/',
    '/plain',
    'text/plain\r\nBcc: x',
    'text/plain; a=b; a=c',
    'text/plain; a=(b)',
    'text/plain; a*=b',
    'text/plain; \u00e4=b',
    'text/plain; a=\u00e4',
    `text/plain; a=${'b'.repeat(255)}`,
    'text /plain',
    'text/plain/x',
    'text/pläin',
    `a/${'b'.repeat(128)}`,
  ])('refused: %j', (type) => {
    expect(checkContentType(type)).toBeNull()
  })
})

test('a file name beyond ASCII is also an encoded word in the type, for old mail programs', () => {
  const from = { name: '', local: 'a', domain: 'b.test', address: 'a@b.test' }
  const fieldsOf = (filename: string) =>
    buildMessage({
      messageId: 'x@b.test',
      date: new Date(0),
      from,
      to: [],
      cc: [],
      replyTo: [],
      subject: 'x',
      html: null,
      text: 'x',
      headers: [],
      attachments: [{ filename, contentType: 'application/pdf', contentId: null, content: Buffer.from('x') }],
    }).bytes.toString()
  expect(fieldsOf('a b.pdf')).not.toContain('name="a b.pdf"\r\nContent-Transfer')
  expect(fieldsOf('März.pdf')).toContain(
    `\r\nContent-Type: application/pdf; name="=?UTF-8?B?${Buffer.from('März.pdf').toString('base64')}?="\r\n`,
  )
  expect(fieldsOf('März.pdf')).toContain("filename*=utf-8''M%C3%A4rz.pdf\r\n")
})

import { describe, expect, test } from 'vitest'
import { checkContentType, cleanFilename } from './attachment-name.ts'

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
    '',
    'pdf',
    'text/',
    '/plain',
    'text/plain; charset=utf-8',
    'text/plain;name=x',
    'multipart/mixed',
    'Multipart/Mixed',
    'message/rfc822',
    'MESSAGE/partial',
    'text/plain\r\nBcc: x',
    'text/plain\n',
    'text /plain',
    'text/plain/x',
    'text/pläin',
    `a/${'b'.repeat(128)}`,
  ])('refused: %j', (type) => {
    expect(checkContentType(type)).toBeNull()
  })
})

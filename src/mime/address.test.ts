import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { PASSES_MAX, passesOf } from '../../test/support/passes.ts'
import { asciiDomain, needsSmtpUtf8, parseAddress, parseMailbox, suppressionKey } from './address.ts'

interface Case {
  no: number
  address: string
  category: string
  diagnosis: string
}

/** The set writes control characters as U+2400 + n. */
function readCases(): Case[] {
  const path = new URL('../../test/fixtures/addresses/is_email-tests-original.xml', import.meta.url)
  const decodeXml = (text: string) =>
    text
      .replace(/&#x([0-9A-F]+);/gi, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)))
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&amp;', '&')
      .replace(/[\u2400-\u2421]/g, (symbol) => String.fromCharCode(symbol.charCodeAt(0) - 0x2400))
  return [...readFileSync(path, 'utf8').matchAll(/<test id="(\d+)">([\s\S]*?)<\/test>/g)].map((match) => {
    const field = (name: string) =>
      new RegExp(`<${name}>(.*?)</${name}>`, 's').exec(match[2] as string)?.[1] ?? ''
    return {
      no: Number(match[1]),
      address: decodeXml(field('address')),
      category: field('category'),
      diagnosis: field('diagnosis'),
    }
  })
}

/** Our policy for each diagnosis; others follow their category below. */
const POLICY: Record<string, 'accept' | 'refuse'> = {
  // Legal in RFC 5321, refused by ACC-6: literals, single labels, and numbers where a top-level domain belongs.
  ISEMAIL_RFC5321_ADDRESSLITERAL: 'refuse',
  ISEMAIL_RFC5321_IPV6DEPRECATED: 'refuse',
  ISEMAIL_RFC5321_TLD: 'refuse',
  ISEMAIL_RFC5321_TLDNUMERIC: 'refuse',
  // Legal and usable: real servers have such mailboxes.
  ISEMAIL_RFC5321_QUOTEDSTRING: 'accept',
  // Delivery, not the grammar, finds out whether a domain has records.
  ISEMAIL_DNSWARN_NO_RECORD: 'accept',
  ISEMAIL_DNSWARN_NO_MX_RECORD: 'accept',
}
const POLICY_BY_CATEGORY: Record<string, 'accept' | 'refuse'> = {
  ISEMAIL_VALID_CATEGORY: 'accept',
  ISEMAIL_ERR: 'refuse',
  // Comments, folding and obsolete forms (RFC 5322 section 4) are not valid in an RFC 5321 mailbox.
  ISEMAIL_CFWS: 'refuse',
  ISEMAIL_DEPREC: 'refuse',
  // Over-long or malformed literals: valid only as header text, never in RCPT TO.
  ISEMAIL_RFC5322: 'refuse',
}

/** Quoted local parts that readers split once their quotes are removed. */
const MISREAD = /^".*[@,;:<>()\\].*"@/s

describe('the is_email set', () => {
  const cases = readCases()

  test('is complete', () => {
    expect(cases).toHaveLength(279)
  })

  test.each(cases)(
    'case $no ($diagnosis) is judged by the policy: $address',
    ({ address, category, diagnosis }) => {
      const wanted = MISREAD.test(address) ? 'refuse' : (POLICY[diagnosis] ?? POLICY_BY_CATEGORY[category])
      expect(wanted).toBeDefined()
      expect(parseAddress(address) === null ? 'refuse' : 'accept').toBe(wanted)
      expect(parseMailbox(address) === null ? 'refuse' : 'accept').toBe(wanted)
    },
  )
})

describe('accepted', () => {
  test.each([
    ['ann@example.org', 'ann@example.org'],
    ['Ann@EXAMPLE.org', 'Ann@example.org'],
    ['ann@bücher.example', 'ann@xn--bcher-kva.example'],
    ['ann@XN--BCHER-KVA.example', 'ann@xn--bcher-kva.example'],
    ['ann@example。org', 'ann@example.org'],
    ['ann@ｅｘａｍｐｌｅ．ｏｒｇ', 'ann@example.org'],
    ['用户@例え.jp', '用户@xn--r8jz45g.jp'],
    ['"a b"@example.org', '"a b"@example.org'],
    ['"a..b"@example.org', '"a..b"@example.org'],
  ])('%s travels as %s', (text, address) => {
    expect(parseAddress(text)?.address).toBe(address)
  })

  test.each([
    ['Ann <ann@example.org>', 'Ann'],
    ['  Ann Lee  <ann@example.org> ', 'Ann Lee'],
    ['<ann@example.org>', ''],
    ['ann@example.org', ''],
    ['"Lee, Ann" <ann@example.org>', 'Lee, Ann'],
    ['"Ann \\"A\\" \\\\" <ann@example.org>', 'Ann "A" \\'],
    ['Robert "Bob" Smith <ann@example.org>', 'Robert Bob Smith'],
    ['Acme, Inc. <ann@example.org>', 'Acme, Inc.'],
    ['Ann (Sales) <ann@example.org>', 'Ann (Sales)'],
    ["Søren O'Neil 😀<ann@example.org>", "Søren O'Neil 😀"],
    ['ann@example.org <ann@example.org>', 'ann@example.org'],
    ['=?utf-8?q?=0d=0a?= <ann@example.org>', '=?utf-8?q?=0d=0a?='],
  ])('%s is parsed with its name', (text, name) => {
    expect(parseMailbox(text)).toMatchObject({ name, address: 'ann@example.org' })
  })

  test('a local part in UTF-8 needs SMTPUTF8, a domain in UTF-8 does not', () => {
    expect(needsSmtpUtf8(parseMailbox('Jörg <jörg@example.org>') as never)).toBe(true)
    expect(needsSmtpUtf8(parseMailbox('Jörg <jorg@bücher.example>') as never)).toBe(false)
  })
})

describe('refused', () => {
  test.each([
    'ann',
    '',
    'ann@',
    '@example.org',
    'ann@localhost',
    'ann@example.org.',
    'ann@example。org。',
    'ann@[127.0.0.1]',
    'ann@127.0.0.1',
    'ann@１２７.0.0.1',
    'ann@a.0x7f',
    'ann@exa_mple.org',
    'ann@ex%61mple.org',
    'ann@exam\u00adple.org',
    'ann@℀.org',
    'ann@a..org',
    '@a.org,@b.org:ann@example.org',
    'ann@example.org> SIZE=1',
    'ann@example.org\r\nDATA',
    'ann\0@example.org',
    '"a\tb"@example.org',
    'ann@example.org\u0000',
    'a\ud800@example.org',
    'a\u202eb@example.org',
    'a\u00a0b@example.org',
    'a b@example.org',
    'ann@example.org, bob@example.org',
    '"a@b> SIZE=1"@example.org',
    '"eve@evil.test"@example.org',
    '"a\\"b"@example.org',
    '=?utf-8?q?ann?=@example.org',
    'eve＠evil.test@example.org',
    'eve﹫evil.test@example.org',
    'ann＠example.org',
    'ann@evil＠example.org',
    ...['؜', '‎', '‏', '‪', '⁦', '⁩'].map((one) => `a${one}b@example.org`),
    `${'a'.repeat(65)}@example.org`,
    `${'é'.repeat(33)}@example.org`,
    `a@${'a'.repeat(64)}.org`,
    `a@${'a.'.repeat(126)}org`,
  ])('%j is not an address', (text) => {
    expect(parseAddress(text)).toBeNull()
    expect(parseMailbox(text)).toBeNull()
  })

  test.each([
    'Ann <ann@example.org',
    'Ann ann@example.org>',
    'Ann <ann@example.org> Lee',
    'Ann <<ann@example.org>>',
    'Ann < ann@example.org >',
    '"Ann <ann@example.org>',
    'Ann\r\nBcc: x@y.z <ann@example.org>',
    'Ann\tLee <ann@example.org>',
    'Ann\u2028Lee <ann@example.org>',
    'Ann\ud800 <ann@example.org>',
    'Ann\u0085 <ann@example.org>',
    'bob@example.org, Ann <ann@example.org>',
    'Team: ann@example.org;',
    'Ann <"ann@example.org>',
  ])('%j is not a mailbox', (text) => {
    expect(parseMailbox(text)).toBeNull()
  })

  test.each([
    ['50,000 parentheses', `${'('.repeat(50_000)}a@example.org`],
    ['100,000 hyphens', `a@${'-'.repeat(100_000)}.org`],
    ['a megabyte of dots', `a@${'.'.repeat(1_000_000)}`],
    ['a megabyte of quotes', '"'.repeat(1_000_000)],
    ['a megabyte of backslashes', `"${'\\'.repeat(1_000_000)}`],
    ['a megabyte of brackets', `${'<'.repeat(1_000_000)}>`],
    ['a megabyte of U-labels', `a@${'ü'.repeat(1_000_000)}.org`],
    ['the longest input that is read, all quotes', `${'"\\'.repeat(998)}>`],
  ])('%s is not an address, found in linear time', (_, text) => {
    const parse = () => {
      expect(parseAddress(text)).toBeNull()
      expect(parseMailbox(text)).toBeNull()
      expect(suppressionKey(text.slice(0, 2000))).toBeTypeOf('string')
    }
    expect(passesOf(parse, text)).toBeLessThan(PASSES_MAX)
  })

  test('an address of 254 octets passes, one of 255 does not', () => {
    const domain = `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(58)}.org`
    expect(parseAddress(`${'x'.repeat(64)}@${domain.slice(1)}`)?.address).toHaveLength(254)
    expect(parseAddress(`${'x'.repeat(64)}@${domain}`)).toBeNull()
  })
})

describe('compared for suppression', () => {
  test.each([
    ['Ann@Example.ORG', 'ann@example.org'],
    ['"ann"@example.org', 'ann@example.org'],
    ['"a\\nn"@example.org', 'ann@example.org'],
    ['"a b"@example.org', '"a b"@example.org'],
    ['"a\\ b"@example.org', '"a b"@example.org'],
    ['ann@bücher.example', 'ann@xn--bcher-kva.example'],
    ['ann@example.org.', 'ann@example.org'],
    ['JÖRG@example.org', 'jörg@example.org'],
    ['Jo\u0308rg@example.org', 'jörg@example.org'],
    ['a+b@example.org', 'a+b@example.org'],
    ['not an address', 'not an address'],
  ])('%s has the key %s', (address, key) => {
    expect(suppressionKey(address)).toBe(key)
    expect(suppressionKey(key)).toBe(key)
  })
})

test('accepted addresses are stable: the result is accepted again, unchanged, for any input', () => {
  const odd = fc.constantFrom(
    '@',
    '.',
    '"',
    '\\',
    '<',
    '>',
    ' ',
    'ü',
    '。',
    '-',
    'a',
    '1',
    '\r',
    '\u202e',
    '😀',
    ',',
    '%',
  )
  const text = fc.oneof(
    fc.array(odd, { maxLength: 20 }).map((parts) => parts.join('')),
    fc
      .tuple(fc.string({ unit: 'binary', maxLength: 20 }), fc.domain())
      .map(([local, domain]) => `${local}@${domain}`),
    fc
      .tuple(fc.string({ maxLength: 10 }), fc.emailAddress())
      .map(([name, address]) => `${name} <${address}>`),
  )
  fc.assert(
    fc.property(text, (input) => {
      const mailbox = parseMailbox(input)
      if (mailbox === null) return
      expect(parseAddress(mailbox.address)).toEqual({ ...mailbox, name: '' })
      expect(asciiDomain(mailbox.domain)).toBe(mailbox.domain)
      expect(mailbox.address).not.toMatch(/[\r\n\0]/)
      expect(mailbox.name).not.toMatch(/[\r\n\0]/)
      expect(suppressionKey(suppressionKey(mailbox.address))).toBe(suppressionKey(mailbox.address))
    }),
    { numRuns: 2000 },
  )
})

import { describe, expect, test } from 'vitest'
import { matchesMx, parseStsPolicy, readStsRecord } from './sts-syntax.ts'

const policy = (...lines: string[]) => parseStsPolicy(lines.join('\r\n'))

describe('a policy', () => {
  test('read as in RFC 8461 section 3.2, with LF or CRLF, in any order', () => {
    const text =
      'version: STSv1\nmode: enforce\nmx: mail.example.com\nmx: *.example.net\nmx: backupmx.example.com\nmax_age: 604800\n'
    const read = {
      mode: 'enforce',
      mx: ['mail.example.com', '*.example.net', 'backupmx.example.com'],
      maxAgeSeconds: 604_800,
    }
    expect(parseStsPolicy(text)).toEqual(read)
    expect(parseStsPolicy(text.replaceAll('\n', '\r\n'))).toEqual(read)
    expect(
      policy('max_age:604800', 'mx:Mail.Example.COM', 'mode:none', 'x-more: yes, so', 'version:  STSv1 '),
    ).toEqual({
      mode: 'none',
      mx: ['mail.example.com'],
      maxAgeSeconds: 604_800,
    })
  })

  test('read with the first of repeated fields, but with all mx fields', () => {
    expect(
      policy('version: STSv1', 'mode: testing', 'mode: none', 'mx: a.b', 'max_age: 1', 'max_age: x'),
    ).toEqual({
      mode: 'testing',
      mx: ['a.b'],
      maxAgeSeconds: 1,
    })
  })

  const good = ['version: STSv1', 'mode: enforce', 'mx: a.example', 'max_age: 86400']
  const without = (name: string, ...more: string[]) => [
    ...good.filter((line) => !line.startsWith(name)),
    ...more,
  ]
  test.each([
    ['empty', ['']],
    ['no version', without('version')],
    ['another version', without('version', 'version: STSv2')],
    ['names in capitals', without('version', 'Version: STSv1')],
    ['no mode', without('mode')],
    ['another mode', without('mode', 'mode: Enforce')],
    ['no mx in mode enforce', without('mx')],
    ['mx that is an address', without('mx', 'mx: 127.0.0.1:25')],
    ['mx with a wildcard inside', without('mx', 'mx: a.*.example')],
    ['mx with two wildcards', without('mx', 'mx: *.*.example')],
    ['mx of one label', without('mx', 'mx: localhost')],
    ['a bare wildcard', without('mx', 'mx: *')],
    ['mx of 254 characters', without('mx', `mx: ${'a.'.repeat(127)}`)],
    ['no max_age', without('max_age')],
    ['a negative max_age', without('max_age', 'max_age: -1')],
    ['max_age beyond a year', without('max_age', 'max_age: 31557601')],
    ['max_age with words', without('max_age', 'max_age: 1 day')],
    ['a line that is not a field', [...good, 'hello']],
    ['an empty line inside', [...good.slice(0, 2), '', ...good.slice(2)]],
    ['a control character', [...good, 'x: a\u0000b']],
    ['a name that is too long', [...good, `${'x'.repeat(33)}: a`]],
    ['HTML', ['<!doctype html>', '<p>mode: enforce</p>']],
  ])('refused: %s', (_what, lines) => {
    expect(policy(...good)).not.toBeNull()
    expect(policy(...lines)).toBeNull()
  })

  test('refused or read immediately: any 64 KB', () => {
    const texts = [
      `mx: ${'*.'.repeat(32_000)}`,
      'a'.repeat(65_536),
      ':'.repeat(65_536),
      '\r\n'.repeat(32_000),
      ' '.repeat(65_536),
    ]
    texts.push(
      `version: STSv1\nmode: enforce\nmax_age: 1\n${'mx: a.b\n'.repeat(8000)}`,
      `mx:${' '.repeat(65_000)}x`,
    )
    const read = texts.map(parseStsPolicy)
    expect(read.map((one) => one?.mx.length ?? null)).toEqual([null, null, null, null, null, 8000, null])
  })
})

describe('a record', () => {
  test.each([
    [['v=STSv1; id=20160831085700Z;'], '20160831085700Z'],
    [['v=STSv1;id=a'], 'a'],
    [['v=spf1 -all', 'v=STSv1 ; id=a1 ; x-y=z'], 'a1'],
    [['v=STSv1; id=a', 'v=STSv1; id=b'], null],
    [['v=STSv1'], null],
    [['v=STSv1;'], null],
    [['v=STSv1; id='], null],
    [['v=STSv1; id=a; id=b'], null],
    [['v=STSv1; id=a b'], null],
    [['v=STSv1; id=a; nonsense'], null],
    [[`v=STSv1; id=${'a'.repeat(33)}`], null],
    [['v=STSv10; id=a'], null],
    [['V=STSv1; id=a'], null],
    [['id=a; v=STSv1'], null],
    [[], null],
  ])('%j names %s', (records, id) => {
    expect(readStsRecord(records)).toBe(id)
  })
})

describe('a host', () => {
  test.each([
    ['mx.example.com', 'mx.example.com', true],
    ['mx.example.com', 'MX.Example.Com', true],
    ['*.example.com', 'mx.example.com', true],
    ['*.example.com', 'a.mx.example.com', false],
    ['*.example.com', 'example.com', false],
    ['*.example.com', '.example.com', false],
    ['example.com', 'mx.example.com', false],
    ['mx.example.com', 'mx.example.com.evil.test', false],
    ['*.com', 'example.com', true],
  ])('the pattern %s and %s: %s', (pattern, host, matches) => {
    expect(matchesMx(['other.test', pattern], host)).toBe(matches)
  })
})

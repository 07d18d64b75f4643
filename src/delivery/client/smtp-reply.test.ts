import { describe, expect, test } from 'vitest'
import { describeReply, ReplyParser } from './smtp-reply.ts'

function parse(...chunks: (string | Buffer)[]) {
  const parser = new ReplyParser()
  const replies = chunks.flatMap((chunk) => parser.push(Buffer.from(chunk as string)))
  return { parser, replies }
}

describe('complete', () => {
  test('complete: one line with an enhanced code', () => {
    const { replies } = parse('250 2.1.5 Ok\r\n')
    expect(replies).toEqual([{ code: 250, enhanced: '2.1.5', text: 'Ok', lines: ['2.1.5 Ok'] }])
  })

  test.each([
    ['250\r\n', 250, ''],
    ['250 \r\n', 250, ''],
    ['354 go ahead\n', 354, 'go ahead'],
    ['220 mx.test ESMTP\r\n', 220, 'mx.test ESMTP'],
    ['550 5.1.1: no\r\n', 550, 'no'],
    ['550 5.7.1.2 odd\r\n', 550, '5.7.1.2 odd'],
    ['550 Ünknown\r\n', 550, 'Ünknown'],
  ])('complete: %j', (line, code, text) => {
    expect(parse(line).replies).toMatchObject([{ code, text }])
  })

  test('complete: several lines are joined and a repeated enhanced code appears once', () => {
    const { replies } = parse(
      '550-5.1.1 The account does not exist.\r\n550-5.1.1 Try again\r\n550 5.1.1 later.\r\n',
    )
    expect(replies).toMatchObject([
      { code: 550, enhanced: '5.1.1', text: 'The account does not exist. Try again later.' },
    ])
  })

  test('complete: a line that repeats an earlier reply is a reply of its own, unless it ends one of several lines', () => {
    const { replies } = parse('250 2.1.0 Ok\r\n250 2.1.0 Ok\r\n', '250-2.1.0 Well\r\n250 2.1.0 Ok\r\n')
    const once = { code: 250, enhanced: '2.1.0', text: 'Ok', lines: ['2.1.0 Ok'] }
    expect(replies).toEqual([once, once, { ...once, text: 'Well Ok', lines: ['2.1.0 Well', '2.1.0 Ok'] }])
  })

  test('complete: the limits on one reply do not add up over many', () => {
    const lines = Array.from({ length: 20_000 }, (_, no) => `250 ${no % 40}\r\n`)
    const { parser, replies } = parse(lines.join(''))
    expect(parser.failure).toBeNull()
    expect(replies.map(({ text }) => text)).toEqual(lines.map((line) => line.slice(4, -2)))
  })

  test('complete: lines that end with LF alone, mixed with CRLF', () => {
    expect(parse('250-a\n250-b\r\n250 c\n').replies).toMatchObject([{ lines: ['a', 'b', 'c'] }])
  })

  test('complete: the same replies for any split of the bytes', () => {
    const bytes = Buffer.from('220 hi\r\n250-PIPELINING\r\n250 SIZE\r\n550 5.1.1 Ü no\r\n')
    const whole = parse(bytes).replies
    expect(whole).toHaveLength(3)
    for (let step = 1; step < 12; step++) {
      const chunks = []
      for (let at = 0; at < bytes.length; at += step) chunks.push(bytes.subarray(at, at + step))
      expect(parse(...chunks).replies).toEqual(whole)
    }
  })

  test('complete: the last line decides if codes differ', () => {
    expect(parse('250-yes\r\n550 no\r\n').replies).toMatchObject([{ code: 550 }])
  })

  test('complete: control characters, escapes and overrides are made visible', () => {
    const { replies } = parse('550 a\x1b[31m\x00b\rc\u202ed\r\n')
    expect(replies[0]?.text).toBe('a\\x1b[31m\\x00b\\x0dc\\u202ed')
  })

  test('complete: text is cut to 1 KB at a whole character', () => {
    const { replies } = parse(Buffer.from(`550-${'ü'.repeat(900)}\r\n550 ${'ü'.repeat(900)}\r\n`))
    const text = replies[0]?.text as string
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1024)
    expect(text).toMatch(/^ü+$/)
    expect(Buffer.byteLength(describeReply(replies[0] as never))).toBeLessThanOrEqual(1024)
    expect(parse(Buffer.from(`550 ${'\x01'.repeat(1000)}\r\n`)).replies[0]?.text.length).toBe(1024)
  })
})

describe('partial', () => {
  test('partial until the last line is there', () => {
    const { parser, replies } = parse('250-more\r\n25')
    expect(replies).toEqual([])
    expect(parser.partial).toBe(true)
    expect(parser.push(Buffer.from('0 done\r\n'))).toHaveLength(1)
    expect(parser.partial).toBe(false)
  })
})

describe('failed', () => {
  test.each([
    'HTTP/1.1 400 Bad Request\r\n',
    'hello\r\n',
    '\r\n',
    '25 short\r\n',
    '2500 long\r\n',
    '150 preliminary\r\n',
    '650 no such class\r\n',
    '250+odd\r\n',
    `${'x'.repeat(99)}\u{1f600}\r\n`,
  ])('failed: %j is no reply', (line) => {
    const { parser, replies } = parse(line)
    expect(replies).toEqual([])
    expect(parser.failure).toMatch(/not an SMTP reply/)
    expect(parser.failure?.isWellFormed()).toBe(true)
  })

  test('failed: an endless line is abandoned after 2,000 bytes', () => {
    const parser = new ReplyParser()
    for (let i = 0; i < 30 && parser.failure === null; i++) parser.push(Buffer.alloc(100, 'x'))
    expect(parser.failure).toMatch(/longer than 2000 bytes/)
  })

  test('failed: an endless reply is abandoned after 500 lines or 64 KB', () => {
    const lines = new ReplyParser()
    lines.push(Buffer.from('220-x\r\n'.repeat(600)))
    expect(lines.failure).toMatch(/more than 500 lines/)
    const bytes = new ReplyParser()
    bytes.push(Buffer.from(`220-${'x'.repeat(1000)}\r\n`.repeat(100)))
    expect(bytes.failure).toMatch(/longer than 65536 bytes/)
  })

  test('failed: nothing is parsed after a failure, and replies before it are kept', () => {
    const { parser, replies } = parse('250 ok\r\nnonsense\r\n250 ok\r\n', '250 ok\r\n')
    expect(replies).toHaveLength(1)
    expect(parser.failure).not.toBeNull()
  })
})

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PASSES_MAX, passesOf } from '../../../test/support/passes.ts'
import { isFull, seedOfToday } from '../../../test/support/thorough.ts'
import type { DsnRecipient } from '../../classification/dsn.ts'
import { readDsn } from './read-dsn.ts'

const FOLDER = join(import.meta.dirname, '../../../test/fixtures/notices')
const MESSAGES = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.eml'))
  .map((name) => readFileSync(join(FOLDER, name)))
const HEADER = 'From: MAILER-DAEMON@x.test\nSubject: failure notice\nContent-Type: '
const DSN = `${HEADER}message/delivery-status\n\n`

/**
 * Checks that any input has a bounded result. One assertion covers all recipients: an assertion for each costs more time
 * than reading the message.
 */
function expectResult(content: Buffer): void {
  const dsn = readDsn(content)
  if (dsn.kind !== 'delivery_status') return
  const { length } = dsn.recipients
  expect(
    { isBounded: length > 0 && length <= 1000, wrong: dsn.recipients.filter(isWrong) },
    `${length}`,
  ).toEqual({
    isBounded: true,
    wrong: [],
  })
}

function isWrong({ action, verdict, response, address }: DsnRecipient): boolean {
  if ((verdict === null) !== (action !== 'failed' && action !== 'delayed')) return true
  if (action === 'delayed' && verdict?.state !== 'deferred') return true
  if (action === 'failed' && !/^(bounced|failed|rejected)$/.test(`${verdict?.state}`)) return true
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not be there
  return /[\x00-\x1f\x7f]/.test(`${response}${address}`) || Buffer.byteLength(response ?? '') > 1024
}

/** `npm test` cuts each message off at a tenth of the places, other ones each day. */
const STEP = isFull ? 1 : 10

test('a result for messages that are cut off anywhere', () => {
  for (const [index, content] of MESSAGES.entries()) {
    for (let twentieth = (index + seedOfToday()) % STEP; twentieth < 20; twentieth += STEP) {
      expectResult(content.subarray(0, Math.floor((content.length * twentieth) / 20)))
    }
  }
})

test('a result for messages with octets changed, removed and doubled', () => {
  const change = fc.record({
    content: fc.constantFrom(...MESSAGES),
    at: fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.uint8Array({ maxLength: 8 })), {
      maxLength: 20,
    }),
  })
  fc.assert(
    fc.property(change, ({ content, at }) => {
      const pieces = at
        .toSorted(([a], [b]) => a - b)
        .reduce<{ parts: Uint8Array[]; from: number }>(
          ({ parts, from }, [place, octets]) => {
            const to = Math.max(from, Math.floor(place * content.length))
            return {
              parts: [...parts, content.subarray(from, to), octets],
              from: Math.max(0, to - 3 + (octets.length % 7)),
            }
          },
          { parts: [], from: 0 },
        )
      expectResult(Buffer.concat([...pieces.parts, content.subarray(pieces.from)]))
    }),
    { numRuns: 300 },
  )
})

test.each<[string, () => string]>([
  [
    '100,000 recipients in fields',
    () =>
      DSN +
      many(100_000, (no) => `Final-Recipient: rfc822; u${no}@x.test\nAction: failed\nStatus: 5.1.1\n\n`),
  ],
  [
    '1,000 recipients, each with a long reply in another language',
    () =>
      DSN +
      many(
        1000,
        (no) =>
          `Final-Recipient: rfc822; u${no}@x.test\nAction: failed\nDiagnostic-Code: smtp; 550 ${'die adresse user ann is '.repeat(38)}\n\n`,
      ),
  ],
  [
    '100,000 recipients in words',
    () => `${HEADER}text/plain\n\n${many(100_000, (no) => `<u${no}@x.test>:\n550 5.1.1 no\n\n`)}`,
  ],
  [
    '100,000 recipients in a header',
    () => `X-Failed-Recipients: ${many(100_000, (no) => `u${no}@x.test, `)}\n${HEADER}text/plain\n\nx`,
  ],
  [
    '10,000 levels of multiparts',
    () =>
      `${HEADER}multipart/mixed; boundary=b0\n\n${many(10_000, (no) => `--b${no}\nContent-Type: multipart/mixed; boundary=b${no + 1}\n\n`)}`,
  ],
  [
    '10,000 levels of one boundary',
    () =>
      `${HEADER}multipart/mixed; boundary=b\n\n${many(10_000, () => '--b\nContent-Type: multipart/mixed; boundary=b\n\n')}`,
  ],
  ['100,000 parts', () => `${HEADER}multipart/mixed; boundary=b\n\n${'--b\n\nx\n'.repeat(100_000)}`],
  ['a header field of 10 MB', () => `X: ${'a'.repeat(10_000_000)}\n${HEADER}text/plain\n\nx`],
  ['1,000,000 header fields', () => `${'X: a\n'.repeat(1_000_000)}${HEADER}text/plain\n\nx`],
  ['a field of 1,000,000 lines', () => `X: a\n${' b\n'.repeat(1_000_000)}${HEADER}text/plain\n\nx`],
  ['37 MB of text', () => `${HEADER}text/plain\n\n550 5.1.1 user unknown\n${'a '.repeat(18_500_000)}`],
  ['tables in tables', () => `${HEADER}text/html\n\n${'<table><tr><td>'.repeat(60_000)}`],
  [
    'an event with 20,000 fields and 100 recipients',
    () => event(Object.fromEntries(Array.from({ length: 20_000 }, (_, no) => [`k${no}`, 1]))),
  ],
  [
    'an event with 450 statements and 100 recipients',
    () =>
      event({
        in: Object.fromEntries(
          Array.from({ length: 450 }, (_, no) => [no, { reason: `x ${no} `.repeat(60) }]),
        ),
      }),
  ],
  ['an event with 60,000 strings like JSON', () => event({ in: Array.from({ length: 60_000 }, () => '{') })],
  [
    '150 recipients, each with 1,600 comments on the status',
    () =>
      DSN +
      many(
        150,
        (no) =>
          `Final-Recipient: rfc822; u${no}@x.test\nAction: failed\nStatus: 5.0.0${' (abc)'.repeat(1600)}\n\n`,
      ),
  ],
  ['an event with 200,000 blanks', () => event({ reason: ' '.repeat(200_000) })],
  ['JSON that is none', () => `${HEADER}text/plain\n\n{"notificationType":${'['.repeat(500_000)}`],
])('answers in linear time, bounded: %s', (_, build) => {
  const content = Buffer.from(build())
  expect(passesOf(() => expectResult(content), content.toString('latin1'))).toBeLessThan(PASSES_MAX)
})

/**
 * The length of the repeated texts. Quadratic work on half a megabyte takes half the passes that it takes on a megabyte,
 * so half the limit detects as much, in half the time.
 */
const LENGTH = 500_000

test('a result in linear time for texts that make regular expressions backtrack', () => {
  for (const piece of [
    'a',
    '@',
    ' ',
    '\n',
    '<',
    '<a@b.c>:\n',
    'a@b.c ',
    '550 ',
    '550-5.1.1 a\n',
    '5.1.1.',
    '--',
    '>>> RCPT\n',
    'user ',
    'sender ',
    'your address ',
    'mailbox full ',
    'not deliver ',
    'host ',
    'connect to ',
    'name server: ',
    'domain ',
    '(',
    '"',
    'x: y\n',
    'helo ',
    'a.',
    'A:B:C ',
    'die adresse ein ',
    'не адрес ',
    '用户',
    'ユーザー',
    'user ann is ',
    'host a said: 550 ',
    '>>> RCPT TO:<a@b.c>\n',
    '<tr><td>',
  ]) {
    const text = piece.repeat(Math.floor(LENGTH / piece.length))
    const limit = (PASSES_MAX * LENGTH) / 1_000_000
    for (const content of [
      `${HEADER}text/plain\n\n${text}`,
      `${DSN}Final-Recipient: rfc822; a@b.test\nAction: failed\nDiagnostic-Code: smtp; 550 ${text}`,
      `Subject: ${text.replaceAll('\n', ' ')}\n${HEADER}text/plain\n\n550 x`,
    ]) {
      const octets = Buffer.from(content)
      expect(
        passesOf(() => expectResult(octets), content, limit),
        JSON.stringify(piece),
      ).toBeLessThan(limit)
    }
  }
})

test('whole characters in an address and a host that are cut', () => {
  const characters = '\u{1f600}'.repeat(400)
  for (const shift of ['', 'a']) {
    const fields = [
      `Final-Recipient: utf-8; ${shift}${characters}@b.test`,
      'Action: failed',
      `Remote-MTA: dns; ${shift}${characters}.test`,
      'Diagnostic-Code: smtp; 550 5.1.1 no such user',
    ]
    const dsn = readDsn(Buffer.from(`${DSN}${fields.join('\n')}\n`))
    if (dsn.kind !== 'delivery_status') throw new Error('not a delivery status')
    const texts = dsn.recipients.flatMap(({ address, mxHost }) => [address ?? '', mxHost ?? ''])
    expect(texts.every((text) => text.length > 250 && text.isWellFormed())).toBe(true)
  }
})

function event(fields: object): string {
  const recipients = Array.from({ length: 100 }, (_, no) => `u${no}@x.test`)
  return `${HEADER}text/plain\n\n${JSON.stringify({ event: 'bounce', recipients, ...fields })}`
}

function many(count: number, build: (no: number) => string): string {
  return Array.from({ length: count }, (_, no) => build(no)).join('')
}

import { describe, expect, test } from 'vitest'
import type { MxRow } from '../../../test/support/mx-script.ts'
import { BODY, givenConnection, linesOf, sendMessage } from '../../../test/support/smtp.ts'
import type { SmtpConnection } from './smtp-connection.ts'

const CHUNKING = ['PIPELINING', 'SIZE', '8BITMIME', 'CHUNKING', 'ENHANCEDSTATUSCODES']
const MIB = 1024 * 1024

/** Lines that DATA would dot-stuff, and its terminator. */
const line = `.${'x'.repeat(70)}\r\n.\r\n`
const BIG = Buffer.from(`Subject: big\r\n\r\n${line.repeat(Math.ceil((5.5 * MIB) / line.length))}`)

const sendBig = (connection: SmtpConnection, message: Buffer[] = [BIG]) =>
  sendMessage(connection, { mayChunk: true }, message)
const chunksOf = (lines: readonly string[]) => lines.filter((text) => /^BDAT/.test(text))

describe('accepted', () => {
  test.each([
    ['pipelined', CHUNKING],
    ['one by one', CHUNKING.filter((name) => name !== 'PIPELINING')],
  ])('accepted in chunks, %s: the same bytes, without dot-stuffing and DATA', async (_how, capabilities) => {
    const { mx, connection } = await givenConnection({ capabilities })
    const { outcome, transcript } = await sendBig(connection, [BODY, BIG])
    expect(outcome).toMatchObject({ stage: 'dot', reply: { code: 250 }, failure: null, usable: true })
    expect(mx.messages[0]?.raw.equals(Buffer.concat([BODY, BIG]))).toBe(true)
    const commands = linesOf(mx)
    expect(commands.some((text) => text.startsWith('DATA'))).toBe(false)
    const rest = BODY.length + BIG.length - 5 * MIB
    expect(chunksOf(commands)).toEqual([...Array(5).fill(`BDAT ${MIB}`), `BDAT ${rest} LAST`])
    // Forty chunks would push the deciding reply out of the transcript.
    expect(transcript.filter((text) => text.startsWith('C BDAT'))).toHaveLength(2)
    expect(transcript.at(-1)).toBe('S 250 2.0.0 Ok: queued')
    // The next message uses the same connection, without RSET.
    expect((await sendMessage(connection)).outcome.reply?.code).toBe(250)
    expect(linesOf(mx)).not.toContain('RSET')
  })

  test('accepted in chunks with bare CR and LF as CRLF', async () => {
    const { mx, connection } = await givenConnection({ capabilities: CHUNKING })
    const end = '\n.\r\nMAIL FROM:<evil@x.test>\r\n'
    const trick = `Subject: x\n\n${`hi\r.${end}`.repeat(20_000)}`
    expect((await sendBig(connection, [Buffer.from(trick)])).outcome.reply?.code).toBe(250)
    expect(mx.messages[0]?.raw.toString()).toBe(trick.replace(/\r\n|\r|\n/g, '\r\n'))
    expect(linesOf(mx).filter((text) => text.startsWith('MAIL'))).toHaveLength(1)
  })

  test.each([
    ['small', CHUNKING, true, BODY],
    ['a second try', CHUNKING, false, BIG],
    ['not offered', CHUNKING.filter((name) => name !== 'CHUNKING'), true, BIG],
  ])('accepted by DATA: %s', async (_why, capabilities, mayChunk, message) => {
    const { mx, connection } = await givenConnection({ capabilities })
    await sendMessage(connection, { mayChunk }, [message])
    expect(linesOf(mx)).toContain('DATA')
    expect(mx.messages[0]?.raw.equals(message)).toBe(true)
  })
})

describe('refused', () => {
  const rows: readonly [stage: string, row: MxRow, code: number, chunkCount: number][] = [
    ['rcpt', { expect: 'RCPT', answer: '550 5.1.1 no', times: 1 }, 550, 0],
    ['data', { expect: 'BDAT', answer: '552 5.3.4 too much', times: 1 }, 552, 4],
    ['data', { expect: 'BDAT', answer: '452 4.3.1 full', times: 1 }, 452, 4],
    ['dot', { expect: '<message>', answer: '554 5.7.1 spam', times: 1 }, 554, 6],
  ]
  for (const pipelining of [true, false]) {
    test.each(rows)(
      `refused at %s, ${pipelining ? 'pipelined' : 'one by one'}: the rest is not sent, the next message goes through`,
      async (stage, row, code, chunkCount) => {
        const capabilities = CHUNKING.filter((name) => pipelining || name !== 'PIPELINING')
        const { mx, connection } = await givenConnection({ capabilities, script: [row] })
        const { outcome } = await sendBig(connection)
        expect(outcome).toMatchObject({ stage, reply: { code }, failure: null, usable: true })
        const sent = chunksOf(linesOf(mx)).length
        expect(sent).toBeLessThanOrEqual(pipelining || stage === 'dot' ? chunkCount : 1)
        expect((await sendMessage(connection)).outcome).toMatchObject({ stage: 'dot', reply: { code: 250 } })
        expect(linesOf(mx)).toContain('RSET')
        expect(mx.messages).toHaveLength(1)
        expect(mx.connectionCount).toBe(1)
      },
    )
  }

  test('refused between chunks: chunks in flight are answered too, and none follows', async () => {
    const script = [
      { expect: 'BDAT', answer: '250 2.0.0 Ok', times: 2 },
      { expect: 'BDAT', answer: '452 4.3.1 full', times: 1 },
    ]
    const { mx, connection } = await givenConnection({ capabilities: CHUNKING, script })
    const { outcome, transcript } = await sendBig(connection)
    expect(outcome).toMatchObject({ stage: 'data', reply: { code: 452 }, usable: true })
    expect(
      transcript.filter((text) => text.startsWith('S 5')).every((text) => text.startsWith('S 503')),
    ).toBe(true)
    expect(mx.contents).toHaveLength(0)
    expect((await sendBig(connection)).outcome.reply?.code).toBe(250)
  })
})

describe('lost', () => {
  test.each([
    ['data', { expect: '<content>', answer: null, ending: 'reset' }],
    ['data', { expect: 'BDAT', answer: null, ending: 'close' }],
    ['dot', { expect: '<message>', answer: null, ending: 'close' }],
  ] as const)('lost at %s: the server may have the message only after the last octet', async (stage, row) => {
    const { connection } = await givenConnection({ capabilities: CHUNKING, script: [row] })
    const { outcome } = await sendBig(connection)
    expect(outcome).toMatchObject({ stage, reply: null, failure: { kind: 'closed' }, usable: false })
  })

  test('closed by 421 between chunks: kept as the reply of data', async () => {
    const script: MxRow[] = [{ expect: 'BDAT', answer: '421 4.3.2 going down', ending: 'close' }]
    const { connection } = await givenConnection({ capabilities: CHUNKING, script })
    const { outcome } = await sendBig(connection)
    expect(outcome).toMatchObject({ stage: 'data', reply: { code: 421 }, usable: false })
  })

  test.each(['500 5.5.2 what', '502 5.5.1 no such command', '503 5.5.1 not now', '504 no'])(
    'lost when the server offers CHUNKING and says %s to the first chunk: what it read is unknown',
    async (answer) => {
      const script = [{ expect: 'BDAT', answer }]
      const { connection } = await givenConnection({ capabilities: CHUNKING, script })
      const { outcome } = await sendBig(connection)
      expect(outcome).toMatchObject({ stage: 'data', failure: { kind: 'protocol' }, usable: false })
    },
  )

  test('a success before the end of a chunk is not accepted', async () => {
    // More replies than chunks, in one packet: a single one may be read only after the last byte was sent.
    const answer = Array(40).fill('250 2.0.0 Ok').join('\r\n')
    const script: MxRow[] = [{ expect: '<content>', answer, times: 1 }]
    const huge = Buffer.from(`Subject: x\r\n\r\n${'y'.repeat(70)}\r\n`.repeat(400_000))
    const { connection } = await givenConnection({ capabilities: CHUNKING, script })
    const { outcome } = await sendBig(connection, [huge])
    expect(outcome).toMatchObject({ reply: null, failure: { kind: 'protocol' }, usable: false })
  })

  test('timed out: a server that reads nothing, and one that never answers a chunk', async () => {
    for (const row of [
      { expect: 'BDAT', answer: null },
      { expect: '<message>', answer: null },
    ]) {
      const { connection } = await givenConnection(
        { capabilities: CHUNKING, script: [row] },
        { timeouts: { dataBlockMs: 200, afterDotMs: 200 } },
      )
      const { outcome } = await sendBig(connection)
      expect(outcome).toMatchObject({ reply: null, failure: { kind: 'timeout' }, usable: false })
    }
  })
})
